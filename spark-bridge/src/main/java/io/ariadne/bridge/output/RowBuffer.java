package io.ariadne.bridge.output;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Rows being written: per row a bit set of nulls, a slot of eight bytes per column, then what does
 * not fit into slots. Native byte order, as {@code UnsafeRow} wants it.
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

  /** Creates a buffer for so many rows at most. */
  RowBuffer(int maxRows) {
    sizes = new int[maxRows];
    starts = new int[maxRows];
    ends = new int[maxRows];
  }

  /** Begins anew with rows that have slots only. */
  void begin(int rows, int bytesPerRow) {
    count = rows;
    fixedBytes = bytesPerRow;
    Arrays.fill(sizes, 0, rows, bytesPerRow);
  }

  /** Adds room for a value behind the slots, in whole words. */
  void reserve(int row, int valueBytes) {
    sizes[row] = Math.addExact(sizes[row], wholeWords(valueBytes));
  }

  /** Gives every row its place and zeroes; of too many bytes only the first rows stay. */
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

  /** Marks a column of a row as null; its slot stays as it is. */
  void putNull(int row, int column) {
    int place = starts[row] + (column >>> 6) * Long.BYTES;
    LONGS.set(bytes, place, (long) LONGS.get(bytes, place) | 1L << (column & 63));
  }

  /**
   * Takes the room for a value behind the slots and has the slot point there.
   *
   * @param valueBytes bytes of the value
   * @param roomBytes bytes of its room, as reserved
   * @return where the value belongs in {@link #bytes}
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
