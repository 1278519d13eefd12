package io.ariadne.operator.project;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import java.util.ArrayList;
import java.util.List;

/** Creates {@link ExpandOperator}s. Immutable and thread-safe. */
public final class ExpandOperatorFactory implements OperatorFactory {
  private final List<FilterProjectOperatorFactory> projections = new ArrayList<>();
  private final Schema output;

  /**
   * Plans an operator.
   *
   * @param input columns of the batches
   * @param projections at least one list with an expression over the input per output column; no
   *     expression may raise an error
   * @param output names and types of the output columns
   */
  public ExpandOperatorFactory(Schema input, List<List<Expression>> projections, Schema output) {
    if (projections.isEmpty()) {
      throw new IllegalArgumentException("expand needs at least one projection");
    }
    for (List<Expression> projection : projections) {
      this.projections.add(
          new FilterProjectOperatorFactory(
              input,
              null,
              projection,
              output,
              ExpressionError.NO_ORIGIN,
              ExpressionError.NO_ORIGIN));
    }
    this.output = output;
  }

  @Override
  public ColumnUse columnUse() {
    return ColumnUse.HOST;
  }

  @Override
  public ExpandOperator create(OperatorContext context) {
    return new ExpandOperator(projections, output, context);
  }
}
