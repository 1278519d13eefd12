package io.ariadne.parquet.metadata;

/**
 * The 64-bit xxHash with seed 0, as bloom filters use it.
 *
 * <p>Source: Yann Collet, xxHash fast digest algorithm, doc/xxhash_spec.md.
 */
final class XxHash64 {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  /** {@code PRIME_1 + PRIME_2}, which overflows. */
  private static final long PRIME_1_PLUS_2 = 0x60EA27EEADC0B5D6L;

  private static final int STRIPE_BYTES = 32;

  private XxHash64() {}

  /** Returns the hash of all bytes. */
  static long hash(byte[] bytes) {
    int position = 0;
    int left = bytes.length;
    long hash;
    if (left >= STRIPE_BYTES) {
      long a = PRIME_1_PLUS_2;
      long b = PRIME_2;
      long c = 0;
      long d = -PRIME_1;
      for (; left >= STRIPE_BYTES; left -= STRIPE_BYTES, position += STRIPE_BYTES) {
        a = round(a, readLong(bytes, position));
        b = round(b, readLong(bytes, position + 8));
        c = round(c, readLong(bytes, position + 16));
        d = round(d, readLong(bytes, position + 24));
      }
      hash =
          Long.rotateLeft(a, 1)
              + Long.rotateLeft(b, 7)
              + Long.rotateLeft(c, 12)
              + Long.rotateLeft(d, 18);
      hash = merge(merge(merge(merge(hash, a), b), c), d);
    } else {
      hash = PRIME_5;
    }
    return finish(hash + bytes.length, bytes, position, left);
  }

  private static long finish(long start, byte[] bytes, int from, int count) {
    long hash = start;
    int position = from;
    int left = count;
    for (; left >= Long.BYTES; left -= Long.BYTES, position += Long.BYTES) {
      hash ^= round(0, readLong(bytes, position));
      hash = Long.rotateLeft(hash, 27) * PRIME_1 + PRIME_4;
    }
    if (left >= Integer.BYTES) {
      hash ^= (readInt(bytes, position) & 0xFFFFFFFFL) * PRIME_1;
      hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
      left -= Integer.BYTES;
      position += Integer.BYTES;
    }
    for (; left > 0; left--, position++) {
      hash ^= (bytes[position] & 0xFF) * PRIME_5;
      hash = Long.rotateLeft(hash, 11) * PRIME_1;
    }
    hash ^= hash >>> 33;
    hash *= PRIME_2;
    hash ^= hash >>> 29;
    hash *= PRIME_3;
    return hash ^ (hash >>> 32);
  }

  private static long round(long accumulator, long input) {
    return Long.rotateLeft(accumulator + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long accumulator) {
    return (hash ^ round(0, accumulator)) * PRIME_1 + PRIME_4;
  }

  private static long readLong(byte[] bytes, int position) {
    return (readInt(bytes, position) & 0xFFFFFFFFL) | ((long) readInt(bytes, position + 4) << 32);
  }

  private static int readInt(byte[] bytes, int position) {
    return (bytes[position] & 0xFF)
        | ((bytes[position + 1] & 0xFF) << 8)
        | ((bytes[position + 2] & 0xFF) << 16)
        | (bytes[position + 3] << 24);
  }
}
