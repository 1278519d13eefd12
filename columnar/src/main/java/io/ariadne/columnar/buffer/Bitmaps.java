package io.ariadne.columnar.buffer;

/**
 * Loops over bits in host memory, least significant bit first. The caller answers for the ranges.
 */
public final class Bitmaps {
  private Bitmaps() {}

  /**
   * Counts set bits.
   *
   * @param address first byte of the bitmap
   * @param bitCount bits from the first
   */
  public static long countSet(long address, long bitCount) {
    long count = 0;
    long words = bitCount >>> 6;
    for (long word = 0; word < words; word++) {
      count += Long.bitCount(Memory.getLong(address + (word << 3)));
    }
    for (long bit = words << 6; bit < bitCount; bit++) {
      count += isSet(address, bit) ? 1 : 0;
    }
    return count;
  }

  /** Returns whether a bit is set. */
  public static boolean isSet(long address, long bit) {
    return ((Memory.getByte(address + (bit >>> 3)) >>> (bit & 7)) & 1) != 0;
  }

  /** Sets a bit. */
  public static void set(long address, long bit) {
    long at = address + (bit >>> 3);
    Memory.putByte(at, (byte) (Memory.getByte(at) | (1 << (bit & 7))));
  }

  /**
   * Copies bits to the start of another bitmap; the rest of its last byte becomes zero.
   *
   * @param source first byte of the bitmap copied from
   * @param firstBit first bit to copy
   * @param target first byte of the bitmap copied to; does not overlap the source
   * @param bitCount bits to copy
   */
  public static void copy(long source, long firstBit, long target, long bitCount) {
    long from = source + (firstBit >>> 3);
    int shift = (int) (firstBit & 7);
    long bytes = (bitCount + 7) >>> 3;
    long sourceBytes = (shift + bitCount + 7) >>> 3;
    if (shift == 0) {
      Memory.copy(from, target, bytes);
    } else {
      for (long i = 0; i < bytes; i++) {
        int low = Byte.toUnsignedInt(Memory.getByte(from + i)) >>> shift;
        int high = i + 1 < sourceBytes ? Memory.getByte(from + i + 1) << (Byte.SIZE - shift) : 0;
        Memory.putByte(target + i, (byte) (low | high));
      }
    }
    int rest = (int) (bitCount & 7);
    if (rest != 0) {
      long last = target + bytes - 1;
      Memory.putByte(last, (byte) (Memory.getByte(last) & ((1 << rest) - 1)));
    }
  }
}
