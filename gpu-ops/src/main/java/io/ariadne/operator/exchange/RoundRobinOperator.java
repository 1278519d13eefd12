package io.ariadne.operator.exchange;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;

/**
 * Numbers rows round robin: 0, 1 and so on up to the number of partitions, then from 0 again,
 * across batches.
 *
 * <p>An input batch yields one output batch, in host memory, with the same sequence number: the
 * first columns unchanged, then the number as one more column.
 */
public final class RoundRobinOperator extends HostBatchOperator {
  private final int partitions;

  /** The number of the next row. */
  private int next;

  RoundRobinOperator(Schema schema, int partitions, OperatorContext context) {
    super(schema, context);
    this.partitions = partitions;
  }

  @Override
  RecordBatch outputOf(RecordBatch batch) {
    int rows = batch.rowCount();
    MemoryBuffer numbers = context().allocator().allocate((long) rows * Integer.BYTES);
    number(
        numbers.address(),
        rows); // after the last allocation, so that a retry does not skip numbers
    return withNumbers(batch, numbers);
  }

  private void number(long numbers, int rows) {
    for (int row = 0; row < rows; row++) {
      Memory.putInt(numbers + (long) row * Integer.BYTES, next);
      next = next + 1 == partitions ? 0 : next + 1;
    }
  }
}
