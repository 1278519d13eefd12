package io.ariadne.operator.concat;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;

/** Creates operators that concatenate small batches. Immutable and thread-safe. */
public final class CoalesceOperatorFactory implements OperatorFactory {
  private final Schema schema;
  private final boolean keepsSequences;

  /**
   * Creates a factory.
   *
   * @param schema columns of input and output
   * @param keepsSequences whether only batches with equal sequence numbers are concatenated, so
   *     that the number still tells which part of the input the rows come from
   */
  public CoalesceOperatorFactory(Schema schema, boolean keepsSequences) {
    this.schema = schema;
    this.keepsSequences = keepsSequences;
  }

  @Override
  public Operator create(OperatorContext context) {
    return new CoalesceOperator(schema, keepsSequences, context);
  }
}
