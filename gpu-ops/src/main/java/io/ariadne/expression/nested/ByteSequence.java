package io.ariadne.expression.nested;

import java.util.Arrays;

/** A growing array to which bytes are appended. */
final class ByteSequence {
  private byte[] array = new byte[64];
  private int length;

  /** Appends the lowest bytes of a number, the most significant first. */
  void put(long number, int count) {
    if (array.length - length < count) {
      array = Arrays.copyOf(array, Math.max(length + count, 2 * array.length));
    }
    for (int i = count - 1; i >= 0; i--) {
      array[length++] = (byte) (number >>> (i * Byte.SIZE));
    }
  }

  /** Removes all bytes. */
  void clear() {
    length = 0;
  }

  /** Returns the array; its first {@link #length} bytes are valid. */
  byte[] array() {
    return array;
  }

  /** Returns how many bytes were appended. */
  int length() {
    return length;
  }
}
