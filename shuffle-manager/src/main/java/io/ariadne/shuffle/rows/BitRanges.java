package io.ariadne.shuffle.rows;

import io.ariadne.columnar.buffer.Memory;

/** Copies bits from any place to any other, least significant bit first. */
public final class BitRanges {
  private static final int LOW_BITS = 7;
  private static final int BYTE_MASK = 0xFF;

  private BitRanges() {}

  /**
   * Writes bits behind others.
   *
   * @param source first byte of the bitmap copied from
   * @param firstBit first bit to copy
   * @param target first byte of the bitmap copied to, whose bits from {@code targetBit} on, to the
   *     end of the last one's byte, are zero
   * @param targetBit where the first goes
   * @param bitCount how many
   */
  public static void append(
      long source, long firstBit, long target, long targetBit, long bitCount) {
    int shift = (int) (targetBit & LOW_BITS);
    long to = target + (targetBit >>> 3);
    for (long done = 0; done < bitCount; done += Byte.SIZE) {
      int count = (int) Math.min(Byte.SIZE, bitCount - done);
      int bits = read(source, firstBit + done, count) << shift;
      Memory.putByte(to, (byte) (Memory.getByte(to) | bits));
      if (bits > BYTE_MASK) {
        Memory.putByte(to + 1, (byte) (bits >>> Byte.SIZE));
      }
      to++;
    }
  }

  private static int read(long source, long bit, int count) {
    int shift = (int) (bit & LOW_BITS);
    long from = source + (bit >>> 3);
    int bits = (Memory.getByte(from) & BYTE_MASK) >>> shift;
    if (shift + count > Byte.SIZE) {
      bits |= Memory.getByte(from + 1) << (Byte.SIZE - shift);
    }
    return bits & ((1 << count) - 1);
  }
}
