package io.ariadne.parquet.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads and writes numbers as Parquet stores them. */
final class LittleEndian {
  private LittleEndian() {}

  private static ByteBuffer over(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static int getInt(byte[] bytes, int at) {
    return over(bytes).getInt(at);
  }

  static void putInt(byte[] bytes, int at, int value) {
    over(bytes).putInt(at, value);
  }

  static long getLong(byte[] bytes, int at) {
    return over(bytes).getLong(at);
  }

  static void putLong(byte[] bytes, int at, long value) {
    over(bytes).putLong(at, value);
  }
}
