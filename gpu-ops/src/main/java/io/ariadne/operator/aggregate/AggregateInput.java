package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.compiler.BridgedStages;
import io.ariadne.expression.compiler.GuardedArguments;
import io.ariadne.expression.compiler.MemberColumns;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.operator.project.FilterProjectOperatorFactory;
import io.ariadne.operator.project.ProjectionStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The expressions of an aggregation, either over the columns of the batch or over columns that a
 * projection computes first. Immutable.
 *
 * @param steps the projection; empty when there is none
 * @param condition BOOLEAN: rows to aggregate; null when all rows are aggregated or the projection
 *     has dropped the other ones
 * @param keys the grouping keys
 * @param aggregates the aggregates
 */
record AggregateInput(
    List<ProjectionStep> steps,
    Expression condition,
    List<Expression> keys,
    List<AggregateCall> aggregates) {

  /**
   * Returns whether a projection has to compute the input first. This is so when there are bridged
   * calls or members of structs, when keys may raise an error and must not be computed for rows
   * that the filter drops, or when values to pick or collect are not plain columns.
   */
  static boolean needsProjection(
      Expression condition, List<Expression> keys, List<AggregateCall> aggregates) {
    Stream<Expression> arguments = aggregates.stream().flatMap(call -> expressions(call).stream());
    boolean keepsComputed = aggregates.stream().anyMatch(AggregateInput::keepsComputed);
    boolean mayRaise = condition != null && keys.stream().anyMatch(TileProgramCompiler::mayRaise);
    return mayRaise
        || keepsComputed
        || Stream.concat(keys.stream(), arguments).anyMatch(AggregateInput::isColumnFirst)
        || (condition != null && isColumnFirst(condition));
  }

  private static boolean keepsComputed(AggregateCall call) {
    return (AggregateSupport.isPick(call) || AggregateSupport.isCollection(call))
        && expressions(call).stream().anyMatch(value -> !(value instanceof ColumnReference));
  }

  private static boolean isColumnFirst(Expression expression) {
    return BridgedStages.isBridged(expression) || MemberColumns.isIn(expression);
  }

  private static List<Expression> expressions(AggregateCall call) {
    if (call.merges()) {
      return List.of();
    }
    List<Expression> expressions = new ArrayList<>(call.arguments());
    if (call.filter() != null) {
      expressions.add(call.filter());
    }
    return expressions;
  }

  /** Returns an input over the columns of the batch. */
  static AggregateInput direct(
      Expression condition, List<Expression> keys, List<AggregateCall> aggregates) {
    return new AggregateInput(List.of(), condition, keys, aggregates);
  }

  /**
   * Returns an input over columns that a projection computes, after it has dropped rows.
   *
   * @param input columns of the batches
   * @param condition BOOLEAN: rows to keep; null for all
   * @param keys the grouping keys
   * @param aggregates the aggregates
   * @param origin number under which keys and arguments are replayed on a failing row, or -1
   */
  static AggregateInput projected(
      Schema input,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> aggregates,
      int origin) {
    List<Expression> columns = new ArrayList<>();
    List<Expression> projectedKeys = keys.stream().map(key -> added(key, columns)).toList();
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregates) {
      calls.add(call.merges() ? withBuffers(call, input, columns) : withArguments(call, columns));
    }
    List<ProjectionStep> steps =
        FilterProjectOperatorFactory.steps(
            input,
            condition,
            columns,
            ProjectionStep.schemaOf(columns),
            List.of(ExpressionError.NO_ORIGIN, origin));
    return new AggregateInput(steps, null, projectedKeys, calls);
  }

  /** Adds an expression to the columns unless they have it; returns a reference to its column. */
  private static Expression added(Expression expression, List<Expression> columns) {
    int index = columns.indexOf(expression);
    if (index < 0) {
      index = columns.size();
      columns.add(expression);
    }
    return new ColumnReference(index, expression.type(), expression.nullable());
  }

  private static AggregateCall withArguments(AggregateCall call, List<Expression> columns) {
    List<Expression> arguments =
        GuardedArguments.of(call).stream().map(argument -> added(argument, columns)).toList();
    Expression filter = call.filter() == null ? null : added(call.filter(), columns);
    return copy(call, arguments, filter, call.bufferOffset());
  }

  /** Adds the columns of the call's buffer, next to each other. */
  private static AggregateCall withBuffers(
      AggregateCall call, Schema input, List<Expression> columns) {
    int offset = columns.size();
    for (int i = 0; i < call.bufferFields().size(); i++) {
      int column = call.bufferOffset() + i;
      columns.add(
          new ColumnReference(column, input.field(column).type(), input.field(column).nullable()));
    }
    return copy(call, call.arguments(), null, offset);
  }

  private static AggregateCall copy(
      AggregateCall call, List<Expression> arguments, Expression filter, int offset) {
    return new AggregateCall(
        call.function(),
        arguments,
        filter,
        call.bufferFields(),
        offset,
        call.resultType(),
        call.mode(),
        call.origin());
  }
}
