package io.ariadne.operator.concat;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;

/** Makes operators that put small batches together. Immutable and thread-safe. */
public final class CoalesceOperatorFactory implements OperatorFactory {
  private final Schema schema;
  private final boolean keepsPlaces;

  /**
   * Creates a factory.
   *
   * @param schema columns of input and output
   * @param keepsPlaces whether only batches of one sequence number are put together: it says which
   *     part of the input rows are of, for those who ask
   */
  public CoalesceOperatorFactory(Schema schema, boolean keepsPlaces) {
    this.schema = schema;
    this.keepsPlaces = keepsPlaces;
  }

  @Override
  public Operator create(OperatorContext context) {
    return new CoalesceOperator(schema, keepsPlaces, context);
  }
}
