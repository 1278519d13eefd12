package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.ExpressionError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;

/**
 * Translates Spark's aggregates into Ariadne's.
 *
 * <p>{@code DISTINCT} needs no translation: Spark's planner has already rewritten it to separate
 * aggregations. The {@code DISTINCT} flag that is still set only affects names.
 */
public final class AggregateConverter {
  private final ExpressionConverter expressions;
  private final ConversionScope scope;

  /**
   * Creates a converter.
   *
   * @param input the columns of the aggregation's input, by position
   * @param scope settings and replay table of the fragment
   */
  public AggregateConverter(List<? extends Attribute> input, ConversionScope scope) {
    this.expressions = new ExpressionConverter(input, scope);
    this.scope = scope;
  }

  /**
   * Translates one aggregate.
   *
   * @param aggregate Spark's aggregate
   * @param bufferOffset position of its first buffer column in the input when it merges buffers,
   *     else {@link AggregateCall#UPDATES}
   * @param columns what its result is computed from
   */
  public AggregateConversion convert(
      AggregateExpression aggregate, int bufferOffset, ResultColumns columns) {
    List<TaggedExpression> operands = new ArrayList<>();
    try {
      AggregateCall call = translate(aggregate, bufferOffset, columns, operands);
      return new AggregateConversion(aggregate.toString(), "", operands, Optional.of(call));
    } catch (NoKernelException e) {
      return new AggregateConversion(
          aggregate.toString(), e.getMessage(), operands, Optional.empty());
    }
  }

  private AggregateCall translate(
      AggregateExpression aggregate,
      int bufferOffset,
      ResultColumns columns,
      List<TaggedExpression> operands) {
    AggregateFunction function = aggregate.aggregateFunction();
    String name = function.getClass().getSimpleName();
    AggregateRule<?> rule =
        AggregateRules.forClass(function.getClass())
            .orElseThrow(() -> new NoKernelException("no kernel for aggregate " + name));
    if (scope.disabled().contains(rule.name())) {
      throw new NoKernelException("aggregate " + name + " is disabled");
    }
    boolean updates = bufferOffset == AggregateCall.UPDATES;
    List<io.ariadne.expression.Expression> arguments =
        updates ? arguments(function, operands) : List.of();
    io.ariadne.expression.Expression filter =
        updates && aggregate.filter().isDefined()
            ? operand(aggregate.filter().get(), operands)
            : null;
    if (filter != null) {
      checkGuarded(operands);
    }
    if (function.getClass() == First.class) {
      checkTotal(operands);
    }
    EvaluationMode mode = rule.modeOf(function);
    List<Field> buffer = bufferFields(function);
    DataType result = typeOf(function.dataType());
    check(rule, function, buffer, result, mode);
    return new AggregateCall(
        rule.functionOf(function),
        arguments,
        filter,
        buffer,
        bufferOffset,
        result,
        mode,
        mode == EvaluationMode.ANSI ? origin(rule, function, columns) : ExpressionError.NO_ORIGIN);
  }

  /** Spark computes arguments only for rows that pass the filter; the bridge computes all. */
  private static void checkGuarded(List<TaggedExpression> operands) {
    operands.stream()
        .flatMap(TaggedExpression::all)
        .filter(TaggedExpression::raisesUnmasked)
        .findFirst()
        .ifPresent(
            part -> {
              throw new NoKernelException(
                  part.expression() + " may raise and the aggregate has a filter");
            });
  }

  /** Spark computes the argument for the first row only; programs compute that of all. */
  private static void checkTotal(List<TaggedExpression> operands) {
    operands.stream()
        .filter(operand -> operand.mayRaise() || operand.isBridgedSomewhere())
        .findFirst()
        .ifPresent(
            operand -> {
              throw new NoKernelException(
                  operand.expression() + " may raise and the aggregate needs it of one row");
            });
  }

  private int origin(AggregateRule<?> rule, AggregateFunction function, ResultColumns columns) {
    return rule.raiserOf(function)
        .map(raiser -> columns.over(raiser, function))
        .map(raiser -> scope.replays().add(raiser, columns.columns()))
        .orElse(ExpressionError.NO_ORIGIN);
  }

  private void check(
      AggregateRule<?> rule,
      AggregateFunction function,
      List<Field> buffer,
      DataType result,
      EvaluationMode mode) {
    List<DataType> types = new ArrayList<>();
    for (Expression child : ScalaCollections.<Expression>list(function.children())) {
      types.add(typeOf(child.dataType()));
    }
    Optional<String> reason =
        AggregateSupport.reasonAgainst(rule.functionOf(function), types, buffer, result, mode);
    if (reason.isPresent()) {
      throw new NoKernelException(reason.get());
    }
  }

  /** Constants and other arguments that are never null do not matter to a count. */
  private List<io.ariadne.expression.Expression> arguments(
      AggregateFunction function, List<TaggedExpression> operands) {
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    for (Expression child : ScalaCollections.<Expression>list(function.children())) {
      if (function.getClass() != Count.class || child.nullable()) {
        arguments.add(operand(child, operands));
      }
    }
    return arguments;
  }

  private io.ariadne.expression.Expression operand(
      Expression expression, List<TaggedExpression> operands) {
    Conversion conversion = expressions.convert(expression);
    operands.add(conversion.tag());
    return conversion
        .translated()
        .orElseThrow(() -> new NoKernelException(expression + ": " + conversion.tag().reason()));
  }

  private List<Field> bufferFields(AggregateFunction function) {
    List<Field> fields = new ArrayList<>();
    for (Attribute attribute : ScalaCollections.<Attribute>list(function.aggBufferAttributes())) {
      fields.add(new Field(attribute.name(), typeOf(attribute.dataType()), attribute.nullable()));
    }
    return fields;
  }

  private DataType typeOf(org.apache.spark.sql.types.DataType type) {
    return expressions
        .typeOf(type)
        .orElseThrow(() -> new NoKernelException("type " + type.sql() + " is not supported"));
  }
}
