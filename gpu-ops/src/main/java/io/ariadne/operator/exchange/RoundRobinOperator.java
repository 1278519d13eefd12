package io.ariadne.operator.exchange;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;

/**
 * Numbers rows in turns as they come: 0, 1 and so on up to the number of partitions, then from 0
 * again, over all batches.
 *
 * <p>A batch in yields one batch out, in host memory, with the same sequence number: the first
 * columns as they came, and the number as one more column.
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
    number(numbers.address(), rows); // nothing can be refused any more
    return numbered(batch, numbers);
  }

  private void number(long numbers, int rows) {
    for (int row = 0; row < rows; row++) {
      Memory.putInt(numbers + (long) row * Integer.BYTES, next);
      next = next + 1 == partitions ? 0 : next + 1;
    }
  }
}
