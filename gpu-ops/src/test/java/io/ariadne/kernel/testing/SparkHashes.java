package io.ariadne.kernel.testing;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Spark's hash functions in plain Java, after {@code Murmur3_x86_32} and {@code XXH64}: the
 * reference for kernels. The integration tests compare with Spark's own.
 */
public final class SparkHashes {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  private SparkHashes() {}

  /** Returns {@code Murmur3_x86_32.hashInt}. */
  public static int murmur3(int value, int seed) {
    return murmurFinish(murmurMix(seed, value), Integer.BYTES);
  }

  /** Returns {@code Murmur3_x86_32.hashLong}. */
  public static int murmur3(long value, int seed) {
    int low = murmurMix(seed, (int) value);
    return murmurFinish(murmurMix(low, (int) (value >>> Integer.SIZE)), Long.BYTES);
  }

  /** Returns {@code Murmur3_x86_32.hashUnsafeBytes}. */
  public static int murmur3(byte[] bytes, int seed) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int hash = seed;
    while (buffer.remaining() >= Integer.BYTES) {
      hash = murmurMix(hash, buffer.getInt());
    }
    while (buffer.hasRemaining()) {
      hash = murmurMix(hash, buffer.get());
    }
    return murmurFinish(hash, bytes.length);
  }

  /** Returns the Murmur3 hash of a decimal of more than 18 digits. */
  public static int murmur3(BigInteger unscaled, int seed) {
    return murmur3(unscaled.toByteArray(), seed);
  }

  private static int murmurMix(int hash, int word) {
    int mixed = Integer.rotateLeft(word * 0xcc9e2d51, 15) * 0x1b873593;
    return Integer.rotateLeft(hash ^ mixed, 13) * 5 + 0xe6546b64;
  }

  private static int murmurFinish(int hash, int length) {
    int mixed = hash ^ length;
    mixed = (mixed ^ mixed >>> 16) * 0x85ebca6b;
    mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
    return mixed ^ mixed >>> 16;
  }

  /** Returns {@code XXH64.hashInt}. */
  public static long xxhash64(int value, long seed) {
    return xxFinish(xxInt(seed + PRIME_5 + Integer.BYTES, value));
  }

  /** Returns {@code XXH64.hashLong}. */
  public static long xxhash64(long value, long seed) {
    return xxFinish(xxLong(seed + PRIME_5 + Long.BYTES, value));
  }

  /** Returns {@code XXH64.hashUnsafeBytes}. */
  public static long xxhash64(byte[] bytes, long seed) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long hash = bytes.length < 32 ? seed + PRIME_5 : xxStripes(buffer, seed);
    hash += bytes.length;
    while (buffer.remaining() >= Long.BYTES) {
      hash = xxLong(hash, buffer.getLong());
    }
    if (buffer.remaining() >= Integer.BYTES) {
      hash = xxInt(hash, buffer.getInt());
    }
    while (buffer.hasRemaining()) {
      hash = Long.rotateLeft(hash ^ (buffer.get() & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    return xxFinish(hash);
  }

  /** Returns the xxHash of a decimal of more than 18 digits. */
  public static long xxhash64(BigInteger unscaled, long seed) {
    return xxhash64(unscaled.toByteArray(), seed);
  }

  private static long xxStripes(ByteBuffer buffer, long seed) {
    long[] sums = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};
    while (buffer.remaining() >= 32) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] = Long.rotateLeft(sums[i] + buffer.getLong() * PRIME_2, 31) * PRIME_1;
      }
    }
    long hash = 0;
    int[] turns = {1, 7, 12, 18};
    for (int i = 0; i < sums.length; i++) {
      hash += Long.rotateLeft(sums[i], turns[i]);
    }
    for (long sum : sums) {
      hash = (hash ^ Long.rotateLeft(sum * PRIME_2, 31) * PRIME_1) * PRIME_1 + PRIME_4;
    }
    return hash;
  }

  private static long xxLong(long hash, long word) {
    long mixed = hash ^ Long.rotateLeft(word * PRIME_2, 31) * PRIME_1;
    return Long.rotateLeft(mixed, 27) * PRIME_1 + PRIME_4;
  }

  private static long xxInt(long hash, int word) {
    long mixed = hash ^ (word & 0xffffffffL) * PRIME_1;
    return Long.rotateLeft(mixed, 23) * PRIME_2 + PRIME_3;
  }

  private static long xxFinish(long hash) {
    long mixed = (hash ^ hash >>> 33) * PRIME_2;
    mixed = (mixed ^ mixed >>> 29) * PRIME_3;
    return mixed ^ mixed >>> 32;
  }
}
