package io.ariadne.operator.project;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.compiler.BridgedStages;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates {@link FilterProjectOperator}s. Immutable and thread-safe; the operators share compiled
 * programs.
 *
 * <p>A filter and projections run in one pass. Only when projections have bridged calls is the
 * filter a pass of its own, so that these calls do not see rows that the filter drops.
 */
public final class FilterProjectOperatorFactory implements OperatorFactory {
  private final List<ProjectionStep> steps;
  private final Schema outputSchema;

  /**
   * Plans a filter with projections.
   *
   * @param input columns of the batches
   * @param condition BOOLEAN over the input; null for all rows; rows for which it is null are
   *     dropped
   * @param projections one expression over the input per output column
   * @param output names and types of the output columns
   * @param conditionOrigin number under which the condition is replayed on a failing row, or -1
   * @param origin number under which the projections are replayed, in order, or -1
   */
  public FilterProjectOperatorFactory(
      Schema input,
      Expression condition,
      List<Expression> projections,
      Schema output,
      int conditionOrigin,
      int origin) {
    if (projections.size() != output.columnCount()) {
      throw new IllegalArgumentException(
          projections.size() + " projections for " + output.columnCount() + " columns");
    }
    this.outputSchema = output;
    this.steps = steps(input, condition, projections, output, List.of(conditionOrigin, origin));
  }

  /**
   * Plans a filter with projections without origins. The arguments are those of the full
   * constructor.
   */
  public FilterProjectOperatorFactory(
      Schema input, Expression condition, List<Expression> projections, Schema output) {
    this(
        input,
        condition,
        projections,
        output,
        ExpressionError.NO_ORIGIN,
        ExpressionError.NO_ORIGIN);
  }

  /** Plans the passes of a filter with projections. The arguments are those of the constructor. */
  public static List<ProjectionStep> steps(
      Schema input,
      Expression condition,
      List<Expression> projections,
      Schema output,
      List<Integer> origins) {
    boolean mustFilterFirst =
        condition != null && projections.stream().anyMatch(BridgedStages::isBridged);
    return mustFilterFirst
        ? List.of(
            ProjectionStep.of(input, condition, references(input), input, origins.subList(0, 1)),
            ProjectionStep.of(input, null, projections, output, origins.subList(1, 2)))
        : List.of(ProjectionStep.of(input, condition, projections, output, origins));
  }

  /**
   * Plans a filter that keeps all columns.
   *
   * @param input columns of the batches and of the output
   * @param condition BOOLEAN over the input
   */
  public static FilterProjectOperatorFactory filter(Schema input, Expression condition) {
    return new FilterProjectOperatorFactory(input, condition, references(input), input);
  }

  private static List<Expression> references(Schema schema) {
    List<Expression> references = new ArrayList<>();
    for (Field field : schema.fields()) {
      references.add(new ColumnReference(references.size(), field.type(), field.nullable()));
    }
    return references;
  }

  @Override
  public FilterProjectOperator create(OperatorContext context) {
    return new FilterProjectOperator(steps, outputSchema, context);
  }

  @Override
  public boolean isReplaceable() {
    return true;
  }
}
