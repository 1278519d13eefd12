package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/**
 * Returns the element of an array at a position; null where the array or the position is null, or
 * the array has no such element. Arguments: the array, and an INT32 position, 0 for the first
 * element.
 *
 * @param resultType the elements' type
 */
public record ArrayItem(DataType resultType) implements NestedFunction {
  private static final long serialVersionUID = 1L;

  @Override
  public String description() {
    return "element at a position";
  }

  @Override
  public boolean dependsOnItsRowOnly() {
    return true;
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    ColumnVector lists = arguments.column(0);
    int rowCount = lists.rowCount();
    try (MemoryBuffer numbers = allocator.allocate(PhysicalType.I32.dataLengthInBytes(rowCount))) {
      fill(new ColumnReader(lists), new ColumnReader(arguments.column(1)), numbers.address());
      return new HostRows(allocator).gather(lists.children().get(0), numbers, rowCount);
    }
  }

  private static void fill(ColumnReader lists, ColumnReader positions, long target) {
    for (int row = 0; row < lists.rowCount(); row++) {
      int number = HostRows.NULL;
      if (!lists.isNull(row) && !positions.isNull(row)) {
        int position = positions.getInt(row);
        int start = lists.getStart(row);
        boolean isThere = position >= 0 && position < lists.getEnd(row) - start;
        number = isThere ? start + position : HostRows.NULL;
      }
      Memory.putInt(target + (long) row * Integer.BYTES, number);
    }
  }
}
