package io.ariadne.parquet.fuzz;

import io.ariadne.parquet.fuzz.SoundFile.PagePlace;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Makes damaged copies of files, mostly changing lengths and counts. */
final class Damage {
  private static final int[] AWKWARD = {0x00, 0x01, 0x7F, 0x80, 0xFF, 0x19, 0xF9, 0x1C, 0x0C};
  private static final int LEVEL_BYTES = 16;
  private static final int MAX_CHANGES = 4;
  private static final int MAX_SPLICE = 64;
  private static final int TRAILER_BYTES = 8;
  private static final int VARINT_BITS = 7;

  private final SplittableRandom random;
  private final SoundFile file;
  private byte[] bytes;

  Damage(SoundFile file, SplittableRandom random) {
    this.file = file;
    this.random = random;
    this.bytes = file.bytes().clone();
  }

  /** Returns a damaged copy. */
  byte[] make() {
    int changes = 1 + random.nextInt(MAX_CHANGES);
    for (int i = 0; i < changes; i++) {
      change(place());
    }
    return bytes;
  }

  /** Returns a position to change. */
  private int place() {
    int length = Math.max(1, bytes.length);
    int choice = random.nextInt(16);
    int footer = Math.min(file.footerStart(), length - 1);
    if (choice < 4) {
      return footer + random.nextInt(length - footer);
    }
    int indexes = file.indexStart();
    if (choice == 15 && indexes < footer) {
      return indexes + random.nextInt(footer - indexes);
    }
    if (choice < 14 && !file.pages().isEmpty()) {
      PagePlace page = file.pages().get(random.nextInt(file.pages().size()));
      int from = choice < 8 ? page.header() : page.body();
      int most = choice < 12 ? LEVEL_BYTES : Integer.MAX_VALUE;
      int to = choice < 8 ? page.body() : (int) Math.min(page.end(), (long) page.body() + most);
      return Math.min(from + random.nextInt(Math.max(1, to - from)), length - 1);
    }
    return random.nextInt(length);
  }

  private void change(int at) {
    if (bytes.length < TRAILER_BYTES) {
      return;
    }
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 3, 4 -> bytes[at] = (byte) AWKWARD[random.nextInt(AWKWARD.length)];
      case 5, 6 -> setInt(Math.min(at, bytes.length - Integer.BYTES));
      case 7 -> setLong(Math.min(at, bytes.length - Long.BYTES));
      case 8, 9, 10 -> setVarint(at);
      case 11 -> bytes = Arrays.copyOf(bytes, at);
      case 12 -> replace(at, random.nextInt(MAX_SPLICE), new byte[0]);
      case 13 -> replace(at, 0, piece());
      case 14 -> {
        byte[] piece = piece();
        replace(at, piece.length, piece);
      }
      default -> overwrite(at);
    }
  }

  private long awkward(long old) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> Integer.MIN_VALUE;
      case 3 -> Integer.MAX_VALUE;
      case 4 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
      case 5 -> old + 1;
      case 6 -> old - 1;
      default -> old ^ (1L << random.nextInt(Integer.SIZE));
    };
  }

  private void setInt(int at) {
    LittleEndian.putInt(bytes, at, (int) awkward(LittleEndian.getInt(bytes, at)));
  }

  private void setLong(int at) {
    LittleEndian.putLong(bytes, at, awkward(LittleEndian.getLong(bytes, at)));
  }

  /** Replaces a variable-length number, zigzag or not, in its own length or another. */
  private void setVarint(int at) {
    int end = at;
    long old = 0;
    while (end < bytes.length && end - at < Long.BYTES) {
      old |= (long) (bytes[end] & 0x7F) << (VARINT_BITS * (end - at));
      end++;
      if (bytes[end - 1] >= 0) {
        break;
      }
    }
    boolean isZigzag = random.nextBoolean();
    long value = awkward(isZigzag ? (old >>> 1) ^ -(old & 1) : old);
    byte[] encoded = varint(isZigzag ? (value << 1) ^ (value >> (Long.SIZE - 1)) : value);
    if (encoded.length < end - at) { // the same length: a longer form of the same number
      int shorter = encoded.length;
      encoded = Arrays.copyOf(encoded, end - at);
      encoded[shorter - 1] |= (byte) 0x80;
      Arrays.fill(encoded, shorter, encoded.length - 1, (byte) 0x80);
    }
    replace(at, end - at, encoded);
  }

  private static byte[] varint(long value) {
    byte[] out = new byte[10];
    int length = 0;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out[length++] = (byte) (rest | 0x80);
      rest >>>= VARINT_BITS;
    }
    out[length++] = (byte) rest;
    return Arrays.copyOf(out, length);
  }

  /** Returns some bytes of the intact file, or noise. */
  private byte[] piece() {
    byte[] piece = new byte[1 + random.nextInt(MAX_SPLICE)];
    if (random.nextInt(4) == 0) {
      random.nextBytes(piece);
    } else {
      int from = random.nextInt(file.bytes().length);
      int count = Math.min(piece.length, file.bytes().length - from);
      System.arraycopy(file.bytes(), from, piece, 0, count);
    }
    return piece;
  }

  private void overwrite(int at) {
    byte[] values = {0, -1, (byte) random.nextInt(256)};
    int end = Math.min(bytes.length, at + 1 + random.nextInt(MAX_SPLICE));
    Arrays.fill(bytes, at, end, values[random.nextInt(values.length)]);
  }

  /** Replaces bytes. If that moves the footer's end, its length is usually corrected. */
  private void replace(int at, int removed, byte[] added) {
    int gone = Math.min(removed, bytes.length - at);
    int before = bytes.length;
    int footer = file.footerStart();
    byte[] result = new byte[before - gone + added.length];
    System.arraycopy(bytes, 0, result, 0, at);
    System.arraycopy(added, 0, result, at, added.length);
    System.arraycopy(bytes, at + gone, result, at + added.length, before - at - gone);
    int trailer = result.length - TRAILER_BYTES;
    boolean isInFooter = at >= footer && at + gone <= before - TRAILER_BYTES;
    if (isInFooter && trailer > 0 && random.nextInt(8) > 0) {
      int length = LittleEndian.getInt(result, trailer);
      LittleEndian.putInt(result, trailer, length + result.length - before);
    }
    bytes = result;
  }
}
