package io.ariadne.operator.exchange;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sorts the rows of each batch by partition: counts the rows of each partition, finds the position
 * of each row and gathers one column after the other. Rows of a partition keep their order.
 *
 * <p>The last input column has a number per row: a hash or the partition itself. The number modulo
 * the number of partitions, never negative, is the row's partition. The last output column is the
 * partition.
 *
 * <p>An input batch yields one output batch, in host memory, with the same sequence number. Strings
 * stay views into the same heaps and dictionary columns keep their codes. When a batch is already
 * sorted, its columns pass without a copy.
 */
public final class PartitionOperator extends HostBatchOperator {
  private final int[] firstRows;
  private final int[] next;

  /** The partition of each row of the current batch. */
  private int[] partitionOf = {};

  private final GatherKernel gather;
  private final RowGather rowGather;

  PartitionOperator(Schema schema, int partitions, OperatorContext context) {
    super(schema, context);
    this.firstRows = new int[partitions + 1];
    this.next = new int[partitions];
    this.gather = new GatherKernel(context.backend().host(), context.allocator());
    this.rowGather = new RowGather(gather, context.allocator());
  }

  @Override
  RecordBatch outputOf(RecordBatch batch) {
    return sorted(batch, count(batch));
  }

  /**
   * Finds the partition of each row and counts the rows of each partition; returns whether the rows
   * are sorted.
   */
  private boolean count(RecordBatch batch) {
    boolean[] isSorted = {true};
    readNumbers(
        batch.column(batch.columnCount() - 1),
        numbers -> isSorted[0] = count(numbers, batch.rowCount()));
    return isSorted[0];
  }

  private boolean count(long numbers, int rowCount) {
    Arrays.fill(firstRows, 0);
    if (partitionOf.length < rowCount) {
      partitionOf = new int[rowCount];
    }
    int before = 0;
    boolean isSorted = true;
    for (int row = 0; row < rowCount; row++) {
      int number = Memory.getInt(numbers + (long) row * Integer.BYTES);
      int partition = Math.floorMod(number, next.length);
      partitionOf[row] = partition;
      firstRows[partition + 1]++;
      isSorted &= partition >= before;
      before = partition;
    }
    for (int i = 0; i < next.length; i++) {
      firstRows[i + 1] += firstRows[i];
    }
    return isSorted;
  }

  private RecordBatch sorted(RecordBatch batch, boolean isSorted) {
    List<ColumnVector> columns = new ArrayList<>();
    int last = batch.columnCount() - 1;
    try (MemoryBuffer order = isSorted ? null : order(batch)) {
      columns.add(partitionNumbers(batch.rowCount()));
      for (int i = last - 1; i >= 0; i--) {
        columns.add(
            0,
            isSorted
                ? batch.takeColumn(i)
                : rowGather.gather(batch.column(i), order, batch.rowCount()));
      }
      return new RecordBatch(outputSchema(), batch.rowCount(), columns, batch.sequence());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Returns the row numbers in the order of the partitions. */
  private MemoryBuffer order(RecordBatch batch) {
    MemoryBuffer order = context().allocator().allocate((long) batch.rowCount() * Integer.BYTES);
    System.arraycopy(firstRows, 0, next, 0, next.length);
    long rows = order.address();
    for (int row = 0; row < batch.rowCount(); row++) {
      int place = next[partitionOf[row]]++;
      Memory.putInt(rows + (long) place * Integer.BYTES, row);
    }
    return order;
  }

  private ColumnVector partitionNumbers(int rowCount) {
    MemoryBuffer numbers = context().allocator().allocate((long) rowCount * Integer.BYTES);
    long at = numbers.address();
    for (int partition = 0; partition < next.length; partition++) {
      for (int row = firstRows[partition]; row < firstRows[partition + 1]; row++) {
        Memory.putInt(at, partition);
        at += Integer.BYTES;
      }
    }
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rowCount, numbers, null);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(super::close);
    closer.close(gather);
    closer.rethrow();
  }
}
