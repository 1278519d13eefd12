package io.ariadne.io.s3;

/**
 * A range of bytes of an object.
 *
 * @param position first byte
 * @param length number of bytes, at least 1
 */
public record ByteRange(long position, long length) {
  /** Checks the bounds. */
  public ByteRange {
    if (position < 0 || length < 1 || position > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(length + " bytes from byte " + position);
    }
  }

  /** Returns the position after the last byte. */
  public long end() {
    return position + length;
  }
}
