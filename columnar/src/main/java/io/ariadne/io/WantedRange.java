package io.ariadne.io;

/**
 * A range of a file that will be read.
 *
 * @param position first byte
 * @param length bytes, at least 1
 * @param order when it will be read: ranges of smaller numbers are read first; for example the
 *     first row in the range
 */
public record WantedRange(long position, long length, long order) {
  /** Checks the bounds. */
  public WantedRange {
    if (position < 0 || length < 1 || position > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(length + " bytes from byte " + position);
    }
  }

  /** Returns the position after the last byte. */
  public long end() {
    return position + length;
  }
}
