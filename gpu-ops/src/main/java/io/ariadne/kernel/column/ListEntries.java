package io.ariadne.kernel.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * Where the entries of lists go when rows are picked out by their 32-bit numbers. Everything is in
 * host memory; numbers are those of rows of the column, or {@link #NO_ROW}.
 */
public final class ListEntries {
  /** The number of no row, whose list is empty. */
  public static final int NO_ROW = -1;

  private ListEntries() {}

  /**
   * Writes the offsets of the picked lists.
   *
   * @param lists a column of lists or maps
   * @param numbers of the rows
   * @param count how many
   * @param offsets takes {@code count + 1} offsets, the first of them 0
   * @return the last one: the number of all entries
   * @throws EngineException OUT_OF_MEMORY when there are more than 2^31 - 1
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
   * Returns the numbers of the picked lists' entries, in order; owned by the caller.
   *
   * @param lists a column of lists or maps
   * @param numbers of the rows
   * @param count how many
   * @param entryCount what {@link #putOffsets} has returned
   * @param allocator host memory
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
