package io.ariadne.operator;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateMode;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.BridgedStages;
import java.util.ArrayList;
import java.util.List;

/**
 * What an aggregation computes over which columns: as given, or over columns that a projection
 * computes first.
 *
 * <p>A projection is needed when rows are filtered before they are grouped, so that dropped rows
 * make no groups, and when there are bridged calls.
 *
 * @param steps the projection; empty when there is none
 * @param condition rows to aggregate, or null when all are or the projection has dropped the others
 * @param keys the keys
 * @param aggregates the aggregates
 */
record AggregateInput(
    List<ProjectionStep> steps,
    Expression condition,
    List<Expression> keys,
    List<AggregateCall> aggregates) {

  static AggregateInput of(
      AggregateMode mode,
      Schema input,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> aggregates) {
    List<Expression> expressions = new ArrayList<>(keys);
    boolean merges = mode == AggregateMode.PARTIAL_MERGE || mode == AggregateMode.FINAL;
    for (AggregateCall call : aggregates) {
      if (merges) {
        addBuffers(call, input, expressions);
      } else {
        expressions.addAll(call.arguments());
        if (call.filter() != null) {
          expressions.add(call.filter());
        }
      }
    }
    boolean isBridged =
        expressions.stream().anyMatch(BridgedStages::isBridged)
            || (condition != null && BridgedStages.isBridged(condition));
    if (!isBridged && (condition == null || keys.isEmpty())) {
      return new AggregateInput(List.of(), condition, keys, aggregates);
    }
    Schema output = ProjectionStep.schemaOf(expressions);
    List<ProjectionStep> steps =
        FilterProjectOperatorFactory.steps(input, condition, expressions, output);
    return new AggregateInput(
        steps,
        null,
        references(expressions, 0, keys.size()),
        renumbered(aggregates, merges, expressions, keys.size()));
  }

  private static void addBuffers(AggregateCall call, Schema input, List<Expression> expressions) {
    for (int i = 0; i < call.bufferFields().size(); i++) {
      int column = call.bufferOffset() + i;
      expressions.add(
          new ColumnReference(column, input.field(column).type(), input.field(column).nullable()));
    }
  }

  private static List<Expression> references(List<Expression> expressions, int first, int end) {
    List<Expression> references = new ArrayList<>();
    for (int i = first; i < end; i++) {
      Expression expression = expressions.get(i);
      references.add(new ColumnReference(i, expression.type(), expression.nullable()));
    }
    return references;
  }

  /** Returns the aggregates over the columns that the projection computes. */
  private static List<AggregateCall> renumbered(
      List<AggregateCall> aggregates, boolean merges, List<Expression> columns, int first) {
    List<AggregateCall> renumbered = new ArrayList<>();
    int next = first;
    for (AggregateCall call : aggregates) {
      int arguments = merges ? call.bufferFields().size() : call.arguments().size();
      List<Expression> own = references(columns, next, next + arguments);
      int offset = next;
      next += arguments;
      Expression filter = null;
      if (!merges && call.filter() != null) {
        filter = references(columns, next, next + 1).get(0);
        next++;
      }
      renumbered.add(
          new AggregateCall(
              call.function(),
              merges ? call.arguments() : own,
              filter,
              call.bufferFields(),
              offset,
              call.resultType(),
              call.mode(),
              call.origin()));
    }
    return renumbered;
  }
}
