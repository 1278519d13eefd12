package io.ariadne.bridge.output;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A buffer of rows under construction. Each row consists of a bit set of nulls, a slot of eight
 * bytes per column, and the values that do not fit into slots. Uses native byte order, like {@code
 * UnsafeRow}.
 */
final class RowBuffer {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final int[] sizes;
  private final int[] starts;
  private final int[] ends;
  private byte[] bytes = new byte[0];
  private int count;
  private int fixedBytes;

  /** Creates a buffer for at most so many rows. */
  RowBuffer(int maxRows) {
    sizes = new int[maxRows];
    starts = new int[maxRows];
    ends = new int[maxRows];
  }

  /** Starts over with rows that have slots only. */
  void begin(int rows, int bytesPerRow) {
    count = rows;
    fixedBytes = bytesPerRow;
    Arrays.fill(sizes, 0, rows, bytesPerRow);
  }

  /** Reserves space for a value after the slots, in whole words. */
  void reserve(int row, int valueBytes) {
    sizes[row] = Math.addExact(sizes[row], wholeWords(valueBytes));
  }

  /**
   * Assigns an address to every row and zeroes the rows. If they exceed the limit, only the first
   * rows remain.
   */
  void layOut(long maxBytes) {
    long total = 0;
    int fitting = 0;
    while (fitting < count && (fitting == 0 || total + sizes[fitting] <= maxBytes)) {
      starts[fitting] = (int) total;
      ends[fitting] = (int) total + fixedBytes;
      total += sizes[fitting];
      fitting++;
    }
    count = fitting;
    if (bytes.length < total) {
      bytes = new byte[(int) total];
    } else {
      Arrays.fill(bytes, 0, (int) total, (byte) 0);
    }
  }

  int count() {
    return count;
  }

  byte[] bytes() {
    return bytes;
  }

  int start(int row) {
    return starts[row];
  }

  int size(int row) {
    return sizes[row];
  }

  /** Writes a slot. */
  void put(int row, int slot, long value) {
    LONGS.set(bytes, starts[row] + slot, value);
  }

  /** Marks a column of a row as null; its slot is not changed. */
  void putNull(int row, int column) {
    int place = starts[row] + (column >>> 6) * Long.BYTES;
    LONGS.set(bytes, place, (long) LONGS.get(bytes, place) | 1L << (column & 63));
  }

  /**
   * Assigns reserved space to a value and stores its location in the slot.
   *
   * @param valueBytes bytes of the value
   * @param roomBytes bytes of the space, as reserved
   * @return position of the value in {@link #bytes}
   */
  int putReference(int row, int slot, int valueBytes, int roomBytes) {
    int place = ends[row];
    put(row, slot, (long) (place - starts[row]) << Integer.SIZE | valueBytes);
    ends[row] = place + wholeWords(roomBytes);
    return place;
  }

  private static int wholeWords(int valueBytes) {
    return Math.addExact(valueBytes, Long.BYTES - 1) & -Long.BYTES;
  }
}
