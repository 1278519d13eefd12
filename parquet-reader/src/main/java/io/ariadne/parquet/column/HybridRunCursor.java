package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.parquet.page.Page.ByteRange;

/**
 * A position in a stream of runs: the beginning of a run, from which the next window of the same
 * page is decoded. A stream is the hybrid of repeated values and bit-packed groups of eight that
 * encodes levels, booleans and dictionary ids.
 *
 * <p>Kernels report damaged streams. Where a stream does not look like runs, the cursor does not
 * move.
 */
final class HybridRunCursor {
  private static final int HEADER_BITS_PER_BYTE = 7;
  private static final int MAX_HEADER_BYTES = 5;
  private static final int GROUP_VALUES = 8;

  private int values;
  private long bytes;
  private int present;

  private long runValues;
  private long runBytes;
  private long bodyAt;
  private boolean isPacked;

  /** Returns the number of values before the cursor. */
  int values() {
    return values;
  }

  /** Returns how many of these are present, for streams of levels. */
  int present() {
    return present;
  }

  /** Returns the bytes from the cursor on. */
  ByteRange rest(ByteRange stream) {
    return new ByteRange(stream.address() + bytes, stream.lengthInBytes() - bytes);
  }

  /**
   * Moves to the run that contains a value.
   *
   * @param stream the whole stream
   * @param width bits of a value
   * @param value index of the value; the stream has been decoded up to it
   */
  void advance(ByteRange stream, int width, int value) {
    advance(stream, width, value, 0, -1);
  }

  /**
   * Moves to the run that contains a level.
   *
   * @param stream the whole stream
   * @param width bits of a level
   * @param value index of the level; the stream has been decoded up to it
   * @param presentBefore number of levels before it that equal the maximum
   * @param maximum the maximum
   */
  void advance(ByteRange stream, int width, int value, int presentBefore, int maximum) {
    int passed = values;
    long at = bytes;
    while (width > 0 && passed < value) {
      if (!readRun(stream, width, at)) {
        return;
      }
      if (runValues > value - passed) {
        break;
      }
      passed += (int) runValues;
      at += runBytes;
    }
    if (at == bytes) {
      return;
    }
    int begun = passed == value ? 0 : presentInRun(stream, width, value - passed, maximum);
    values = passed;
    bytes = at;
    present = presentBefore - begun;
  }

  /** Returns the number of values of a whole stream. The cursor must be at its beginning. */
  long count(ByteRange stream, int width) {
    long total = 0;
    for (long at = 0; readRun(stream, width, at); at += runBytes) {
      long rest = (stream.lengthInBytes() - bodyAt) * Byte.SIZE / width;
      total += isPacked ? Math.min(runValues, rest) : runValues;
    }
    return total;
  }

  /** Returns how often a value occurs in a whole stream. The cursor must be at its beginning. */
  long countOf(ByteRange stream, int width, int value) {
    long total = 0;
    for (long at = 0; readRun(stream, width, at); at += runBytes) {
      long rest = (stream.lengthInBytes() - bodyAt) * Byte.SIZE / width;
      long inRun = isPacked ? Math.min(runValues, rest) : runValues;
      total += presentInRun(stream, width, (int) Math.min(inRun, Integer.MAX_VALUE), value);
    }
    return total;
  }

  /** Returns the bit width of levels with a maximum. */
  static int bitsOf(int maximum) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(maximum);
  }

  /** Parses the run that begins at a byte and finds its end; returns false when there is none. */
  private boolean readRun(ByteRange stream, int width, long start) {
    long header = 0;
    long at = start;
    int shift = 0;
    int last;
    do {
      if (at >= stream.lengthInBytes() || at - start == MAX_HEADER_BYTES) {
        return false;
      }
      last = Memory.getByte(stream.address() + at++);
      header |= (last & 0x7fL) << shift;
      shift += HEADER_BITS_PER_BYTE;
    } while (last < 0);
    isPacked = (header & 1) != 0;
    runValues = (header >>> 1) * (isPacked ? GROUP_VALUES : 1);
    long body = isPacked ? runValues / GROUP_VALUES * width : bytesOf(width);
    bodyAt = at;
    runBytes = at - start + body;
    // The last groups may be cut off after the last value, which the cursor does not pass.
    return header >>> Integer.SIZE == 0
        && (isPacked || body <= stream.lengthInBytes() - at)
        && start + runBytes >= start;
  }

  private static int bytesOf(int width) {
    return (width + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Counts the levels that equal the maximum among the first ones of the run read last. */
  private int presentInRun(ByteRange stream, int width, int count, int maximum) {
    if (maximum < 0) {
      return 0;
    }
    long body = stream.address() + bodyAt;
    if (!isPacked) {
      return bits(body, bytesOf(width) * Byte.SIZE, 0) == maximum ? count : 0;
    }
    int found = 0;
    for (int i = 0; i < count; i++) {
      found += bits(body, width, (long) i * width) == maximum ? 1 : 0;
    }
    return found;
  }

  private static int bits(long address, int width, long firstBit) {
    int value = 0;
    for (int have = 0; have < width; ) {
      long bit = firstBit + have;
      int inByte = (int) (bit % Byte.SIZE);
      int taken = Math.min(Byte.SIZE - inByte, width - have);
      int part = (Memory.getByte(address + bit / Byte.SIZE) & 0xff) >>> inByte;
      value |= (part & ((1 << taken) - 1)) << have;
      have += taken;
    }
    return value;
  }
}
