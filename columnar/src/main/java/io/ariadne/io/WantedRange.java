package io.ariadne.io;

/**
 * A range of a file that will be read.
 *
 * @param position first byte
 * @param length bytes, at least 1
 * @param order when it will be read: ranges of smaller numbers are read first; for example the
 *     first row in the range
 * @param group ranges of different groups never share a request
 */
public record WantedRange(long position, long length, long order, int group) {
  /** Checks the bounds. */
  public WantedRange {
    if (position < 0 || length < 1 || position > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(length + " bytes from byte " + position);
    }
  }

  /** Creates a range of group 0. */
  public WantedRange(long position, long length, long order) {
    this(position, length, order, 0);
  }

  /** Returns the same range in another group. */
  public WantedRange inGroup(int other) {
    return new WantedRange(position, length, order, other);
  }

  /** Returns the position after the last byte. */
  public long end() {
    return position + length;
  }
}
