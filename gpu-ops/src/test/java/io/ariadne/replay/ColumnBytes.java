package io.ariadne.replay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.function.IntToLongFunction;

/** Column contents of replay cases as bytes. */
final class ColumnBytes {

  private static final int ALIGNMENT = 64;

  private ColumnBytes() {}

  static byte[] ints(int rows, IntToLongFunction value) {
    byte[] bytes = zeroed((long) rows * Integer.BYTES);
    ByteBuffer column = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows; i++) {
      column.putInt(i * Integer.BYTES, (int) value.applyAsLong(i));
    }
    return bytes;
  }

  static byte[] longs(int rows, IntToLongFunction value) {
    byte[] bytes = zeroed((long) rows * Long.BYTES);
    ByteBuffer column = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows; i++) {
      column.putLong(i * Long.BYTES, value.applyAsLong(i));
    }
    return bytes;
  }

  /** Returns a validity bitmap in which about one row in eight is null. */
  static byte[] validity(int rows, Random random) {
    byte[] bits = zeroed((rows + 7) / 8);
    for (int i = 0; i < rows; i++) {
      if (random.nextInt(8) != 0) {
        bits[i / 8] |= (byte) (1 << i % 8);
      }
    }
    return bits;
  }

  /** Returns zeros, padded to a multiple of 64 bytes. */
  static byte[] zeroed(long sizeInBytes) {
    return new byte[Math.toIntExact((sizeInBytes + ALIGNMENT - 1) & -ALIGNMENT)];
  }
}
