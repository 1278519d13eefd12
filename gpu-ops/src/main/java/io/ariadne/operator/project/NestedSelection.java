package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.operator.OperatorContext;

/**
 * Selects the rows of nested columns that passed a filter. It works in host memory, where nested
 * columns stay even when other columns are in device memory. Used by one thread at a time.
 */
final class NestedSelection implements AutoCloseable {
  private final OperatorContext context;
  private GatherKernel kernel; // null until it is needed

  NestedSelection(OperatorContext context) {
    this.context = context;
  }

  /** Returns a column of 0, 1, 2 and so on in host memory, owned by the caller. */
  ColumnVector rowNumbers(int rowCount) {
    MemoryBuffer numbers =
        context.allocator().allocate(PhysicalType.I32.dataLengthInBytes(rowCount));
    long address = numbers.address();
    for (int row = 0; row < rowCount; row++) {
      Memory.putInt(address + (long) row * Integer.BYTES, row);
    }
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rowCount, numbers, null);
  }

  /**
   * Selects rows of a column.
   *
   * @param column a nested column; stays the caller's
   * @param rows at least {@code rowCount} row numbers; stay the caller's
   * @param rowCount how many of the row numbers to use
   * @return a column in host memory, owned by the caller
   */
  ColumnVector select(ColumnVector column, ColumnVector rows, int rowCount) {
    ColumnVector columnCopy = null;
    ColumnVector rowsCopy = null;
    try {
      columnCopy = copyUnlessOnHost(column);
      rowsCopy = copyUnlessOnHost(rows);
      MemoryBuffer numbers = (rowsCopy == null ? rows : rowsCopy).data();
      return new RowGather(kernel(), context.allocator())
          .gather(columnCopy == null ? column : columnCopy, numbers, rowCount);
    } finally {
      if (columnCopy != null) {
        columnCopy.close();
      }
      if (rowsCopy != null) {
        rowsCopy.close();
      }
    }
  }

  private ColumnVector copyUnlessOnHost(ColumnVector column) {
    return context.transfer().isOnHost(column) ? null : context.transfer().copyToHost(column);
  }

  private GatherKernel kernel() {
    if (kernel == null) {
      kernel = new GatherKernel(context.backend().host(), context.allocator());
    }
    return kernel;
  }

  @Override
  public void close() {
    if (kernel != null) {
      kernel.close();
      kernel = null;
    }
  }
}
