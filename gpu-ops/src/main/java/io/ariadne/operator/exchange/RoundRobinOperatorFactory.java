package io.ariadne.operator.exchange;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;

/** Creates {@link RoundRobinOperator}s. Immutable and thread-safe. */
public final class RoundRobinOperatorFactory implements OperatorFactory {
  private final Schema schema;
  private final int partitions;

  /**
   * Plans an operator.
   *
   * @param input columns of the batches
   * @param width how many of them, from the first on, are in the output
   * @param partitions how many partitions, at least 1
   */
  public RoundRobinOperatorFactory(Schema input, int width, int partitions) {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions=" + partitions);
    }
    this.schema = PartitionOperatorFactory.withPartitionColumn(input, width);
    this.partitions = partitions;
  }

  @Override
  public ColumnUse columnUse() {
    return ColumnUse.HOST;
  }

  @Override
  public RoundRobinOperator create(OperatorContext context) {
    return new RoundRobinOperator(schema, partitions, context);
  }
}
