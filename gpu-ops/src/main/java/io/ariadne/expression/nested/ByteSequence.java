package io.ariadne.expression.nested;

import java.util.Arrays;

/** Bytes that are written one after the other, into an array that grows. */
final class ByteSequence {
  private byte[] array = new byte[64];
  private int length;

  /** Writes the lowest bytes of a number, the highest of them first. */
  void put(long number, int count) {
    if (array.length - length < count) {
      array = Arrays.copyOf(array, Math.max(length + count, 2 * array.length));
    }
    for (int i = count - 1; i >= 0; i--) {
      array[length++] = (byte) (number >>> (i * Byte.SIZE));
    }
  }

  /** Forgets what was written. */
  void clear() {
    length = 0;
  }

  /** Returns the array, of which the first {@link #length} bytes are written. */
  byte[] array() {
    return array;
  }

  /** Returns how many bytes are written. */
  int length() {
    return length;
  }
}
