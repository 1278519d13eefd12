package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/**
 * Returns the element of an array at a fixed position; a missing element is an error. For a batch
 * with a missing element, another function is called on the same rows and raises the error.
 * Argument: the array.
 *
 * @param position of the element, 0 for the first
 * @param otherwise computes the same from the same argument, slower, and raises errors
 */
public record CheckedArrayItem(int position, ColumnFunction otherwise) implements ColumnFunction {
  private static final long serialVersionUID = 1L;

  @Override
  public DataType resultType() {
    return otherwise.resultType();
  }

  @Override
  public String description() {
    return otherwise.description();
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
      return fill(new ColumnReader(lists), numbers.address())
          ? new HostRows(allocator).gather(lists.children().get(0), numbers, rowCount)
          : otherwise.apply(arguments, allocator);
    }
  }

  /** Writes the numbers of the elements; returns whether every list that is not null has one. */
  private boolean fill(ColumnReader lists, long target) {
    for (int row = 0; row < lists.rowCount(); row++) {
      int number = HostRows.NULL;
      if (!lists.isNull(row)) {
        int start = lists.getStart(row);
        if (position >= lists.getEnd(row) - start) {
          return false;
        }
        number = start + position;
      }
      Memory.putInt(target + (long) row * Integer.BYTES, number);
    }
    return true;
  }
}
