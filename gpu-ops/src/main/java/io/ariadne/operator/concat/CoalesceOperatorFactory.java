package io.ariadne.operator.concat;

import io.ariadne.backend.BatchSize;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;

/** Creates operators that concatenate small batches. Immutable and thread-safe. */
public final class CoalesceOperatorFactory implements OperatorFactory {
  private final Schema schema;
  private final boolean keepsSequences;
  private final boolean isForHost;

  /**
   * Creates a factory.
   *
   * @param schema columns of input and output
   * @param keepsSequences whether only batches with equal sequence numbers are concatenated, so
   *     that the number still tells which part of the input the rows come from
   * @param isForHost whether the host reads the output, not kernels of the back end: it then has
   *     batches of the host's size
   */
  public CoalesceOperatorFactory(Schema schema, boolean keepsSequences, boolean isForHost) {
    this.schema = schema;
    this.keepsSequences = keepsSequences;
    this.isForHost = isForHost;
  }

  @Override
  public Operator create(OperatorContext context) {
    BatchSize size = isForHost ? BatchSize.HOST : context.backend().batchSize();
    return new CoalesceOperator(schema, keepsSequences, size, context);
  }
}
