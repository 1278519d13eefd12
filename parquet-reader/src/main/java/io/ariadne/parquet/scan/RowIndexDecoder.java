package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.parquet.column.ColumnDecoder;
import io.ariadne.parquet.column.RowSelection;
import java.util.List;

/** Makes the column of row numbers in the file, from 0. Needs host memory. */
final class RowIndexDecoder implements ColumnDecoder {
  private final DataType type;
  private final long rowsBefore;
  private final BufferAllocator allocator;

  /**
   * Creates the column of one row group.
   *
   * @param type a type of 64-bit integers
   * @param rowsBefore rows of the file before the row group
   * @param allocator memory of columns
   */
  RowIndexDecoder(DataType type, long rowsBefore, BufferAllocator allocator) {
    this.type = type;
    this.rowsBefore = rowsBefore;
    this.allocator = allocator;
  }

  @Override
  public ColumnVector decode(long firstRow, int rowCount, RowSelection selection) {
    MemoryBuffer numbers = allocator.allocate(PhysicalType.I64.dataLengthInBytes(rowCount));
    long first = rowsBefore + firstRow;
    for (int row = 0; row < rowCount; row++) {
      Memory.putLong(numbers.address() + (long) row * Long.BYTES, first + row);
    }
    return new ColumnVector(
        type, PhysicalType.I64, rowCount, numbers, null, 0, List.of(), List.of());
  }

  @Override
  public void close() {}
}
