package io.ariadne.operator.exchange;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers rows in turns as they come: 0, 1 and so on up to the number of partitions, then from 0
 * again, over all batches.
 *
 * <p>A batch in yields one batch out, in host memory, with the same sequence number: the first
 * columns as they came, and the number as one more column.
 */
public final class TurnOperator extends HostBatchOperator {
  private final int width;
  private final int partitions;

  /** The number of the next row. */
  private int next;

  TurnOperator(Schema schema, int partitions, OperatorContext context) {
    super(schema, context);
    this.width = schema.columnCount() - 1;
    this.partitions = partitions;
  }

  @Override
  RecordBatch outputOf(RecordBatch batch) {
    int rows = batch.rowCount();
    MemoryBuffer numbers = context().allocator().allocate((long) rows * Integer.BYTES);
    number(numbers.address(), rows); // nothing can be refused any more
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(batch.takeColumn(i));
    }
    columns.add(ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rows, numbers, null));
    return new RecordBatch(outputSchema(), rows, columns, batch.sequence());
  }

  private void number(long numbers, int rows) {
    for (int row = 0; row < rows; row++) {
      Memory.putInt(numbers + (long) row * Integer.BYTES, next);
      next = next + 1 == partitions ? 0 : next + 1;
    }
  }
}
