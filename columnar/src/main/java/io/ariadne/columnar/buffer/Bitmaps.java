package io.ariadne.columnar.buffer;

/** Loops over bits in host memory, least significant bit first. The caller checks the ranges. */
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
    int bitsInLast = (int) (bitCount & 7);
    if (bitsInLast != 0) {
      long last = target + bytes - 1;
      Memory.putByte(last, (byte) (Memory.getByte(last) & ((1 << bitsInLast) - 1)));
    }
  }

  /**
   * Copies bits to any place of another bitmap.
   *
   * @param source first byte of the bitmap copied from
   * @param firstBit first bit to copy
   * @param target first byte of the bitmap copied to, whose bits from {@code targetBit} to the end
   *     of the byte of the last one are zero; does not overlap the source
   * @param targetBit place of the first bit in the target
   * @param bitCount bits to copy
   */
  public static void append(
      long source, long firstBit, long target, long targetBit, long bitCount) {
    int shift = (int) (targetBit & 7);
    long to = target + (targetBit >>> 3);
    long done = 0;
    if (shift == 0 && (firstBit & 7) == 0) {
      long bytes = bitCount >>> 3;
      Memory.copy(source + (firstBit >>> 3), to, bytes);
      to += bytes;
      done = bytes << 3;
    }
    for (; done < bitCount; done += Byte.SIZE) {
      int count = (int) Math.min(Byte.SIZE, bitCount - done);
      int bits = read(source, firstBit + done, count) << shift;
      Memory.putByte(to, (byte) (Memory.getByte(to) | bits));
      if (bits >>> Byte.SIZE != 0) {
        Memory.putByte(to + 1, (byte) (bits >>> Byte.SIZE));
      }
      to++;
    }
  }

  private static int read(long source, long bit, int count) {
    int shift = (int) (bit & 7);
    long from = source + (bit >>> 3);
    int bits = Byte.toUnsignedInt(Memory.getByte(from)) >>> shift;
    if (shift + count > Byte.SIZE) {
      bits |= Memory.getByte(from + 1) << (Byte.SIZE - shift);
    }
    return bits & ((1 << count) - 1);
  }

  /**
   * Sets consecutive bits.
   *
   * @param target first byte of the bitmap
   * @param firstBit the first bit to set
   * @param bitCount bits to set
   */
  public static void setAll(long target, long firstBit, long bitCount) {
    long end = firstBit + bitCount;
    long bit = firstBit;
    for (; bit < end && (bit & 7) != 0; bit++) {
      set(target, bit);
    }
    for (; bit + Byte.SIZE <= end; bit += Byte.SIZE) {
      Memory.putByte(target + (bit >>> 3), (byte) -1);
    }
    for (; bit < end; bit++) {
      set(target, bit);
    }
  }
}
