package io.ariadne.parquet.codec;

import io.ariadne.columnar.buffer.Memory;

/**
 * Decompresses the first bytes of a raw Snappy block. Source: google/snappy,
 * format_description.txt.
 */
public final class SnappyPrefix {
  /** What {@link #decode} returns for a block that is damaged. */
  public static final int DAMAGED = -1;

  private static final int MAX_LENGTH_BYTES = 5;

  /** A literal of so many bytes, less one, has its length behind the tag. */
  private static final int LONGEST_IN_TAG = 60;

  private final long source;
  private final int length;
  private final long target;
  private final int wanted;
  private int at;
  private int made;

  private SnappyPrefix(long source, int length, long target, int wanted) {
    this.source = source;
    this.length = length;
    this.target = target;
    this.wanted = wanted;
  }

  /**
   * Decompresses.
   *
   * @param source address of the block
   * @param length bytes of the block
   * @param target where the result goes
   * @param wanted how many bytes of it
   * @return how many bytes were written: fewer than wanted when the block ends; {@link #DAMAGED}
   *     when its bytes up to there make no sense
   */
  public static int decode(long source, int length, long target, int wanted) {
    return new SnappyPrefix(source, length, target, wanted).decode();
  }

  private int decode() {
    if (!passLength()) {
      return DAMAGED;
    }
    while (made < wanted && at < length) {
      int tag = unsigned(at++);
      boolean isWhole = (tag & 3) == 0 ? literal(tag >>> 2) : copy(tag);
      if (!isWhole) {
        return DAMAGED;
      }
    }
    return made;
  }

  /** Passes the length that the block declares; returns false when there is none. */
  private boolean passLength() {
    int end = Math.min(length, MAX_LENGTH_BYTES);
    while (at < end) {
      if (Memory.getByte(source + at++) >= 0) {
        return true;
      }
    }
    return false;
  }

  private boolean literal(int high) {
    int more = Math.max(high - LONGEST_IN_TAG + 1, 0);
    if (more > length - at) {
      return false;
    }
    long bytes = 1 + (more == 0 ? high : number(more));
    if (bytes > length - at) {
      return false;
    }
    int copied = (int) Math.min(bytes, wanted - made);
    Memory.copy(source + at, target + made, copied);
    made += copied;
    at += (int) bytes;
    return true;
  }

  private boolean copy(int tag) {
    int kind = tag & 3;
    int more = kind == 3 ? Integer.BYTES : kind;
    if (more > length - at) {
      return false;
    }
    long near = number(more);
    long distance = kind == 1 ? (long) (tag >>> 5) << Byte.SIZE | near : near;
    int bytes = kind == 1 ? 4 + (tag >>> 2 & 7) : (tag >>> 2) + 1;
    if (distance == 0 || distance > made) {
      return false;
    }
    for (int end = Math.min(made + bytes, wanted); made < end; made++) {
      Memory.putByte(target + made, Memory.getByte(target + made - distance));
    }
    return true;
  }

  /** Reads a number of so many bytes, the lowest first. */
  private long number(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) unsigned(at++) << (i * Byte.SIZE);
    }
    return value;
  }

  private int unsigned(int offset) {
    return Memory.getByte(source + offset) & 0xff;
  }
}
