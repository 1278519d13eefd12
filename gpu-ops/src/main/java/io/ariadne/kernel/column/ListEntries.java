package io.ariadne.kernel.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * Computes the entries of lists that are selected by 32-bit row numbers. Everything is in host
 * memory. A row number may be {@link #NO_ROW}.
 */
public final class ListEntries {
  /** The number of a missing row, whose list is empty. */
  public static final int NO_ROW = -1;

  private ListEntries() {}

  /**
   * Writes the offsets of the selected lists.
   *
   * @param lists a column of lists or maps
   * @param numbers the row numbers
   * @param count how many
   * @param offsets receives {@code count + 1} offsets; the first is 0
   * @return the last offset: the number of all entries
   * @throws EngineException OUT_OF_MEMORY when there are more than 2^31 - 1 entries
   */
  public static int putOffsets(
      ColumnVector lists, MemoryBuffer numbers, int count, MemoryBuffer offsets) {
    long source = lists.data().address();
    long total = 0;
    offsets.putInt(0, 0);
    for (int i = 0; i < count; i++) {
      int row = at(numbers.address(), i);
      total += row == NO_ROW ? 0 : at(source, row + 1) - at(source, row);
      if (total > Integer.MAX_VALUE) {
        throw new EngineException(
            ErrorCode.OUT_OF_MEMORY, "more than 2^31 entries in the lists of " + count + " rows");
      }
      offsets.putInt((i + 1L) * Integer.BYTES, (int) total);
    }
    return (int) total;
  }

  /**
   * Returns the row numbers of the selected lists' entries, in order; owned by the caller.
   *
   * @param lists a column of lists or maps
   * @param numbers the row numbers
   * @param count how many
   * @param entryCount what {@link #putOffsets} has returned
   * @param allocator allocates host memory
   */
  public static MemoryBuffer numbers(
      ColumnVector lists,
      MemoryBuffer numbers,
      int count,
      int entryCount,
      BufferAllocator allocator) {
    long source = lists.data().address();
    MemoryBuffer entries = allocator.allocate(PhysicalType.I32.dataLengthInBytes(entryCount));
    long target = entries.address();
    for (int i = 0; i < count; i++) {
      int row = at(numbers.address(), i);
      int end = row == NO_ROW ? 0 : at(source, row + 1);
      for (int entry = row == NO_ROW ? 0 : at(source, row); entry < end; entry++) {
        Memory.putInt(target, entry);
        target += Integer.BYTES;
      }
    }
    return entries;
  }

  private static int at(long integers, int index) {
    return Memory.getInt(integers + (long) index * Integer.BYTES);
  }
}
