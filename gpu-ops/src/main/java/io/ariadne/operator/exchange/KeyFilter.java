package io.ariadne.operator.exchange;

import java.util.List;

/**
 * A Bloom filter of the hashes of keys. Immutable and thread-safe.
 *
 * <p>All bits of a key are in one word of 64 bits, so a test reads one cache line: a
 * register-blocked filter as in Lang et al., "Performance-Optimal Filtering", VLDB 2019. With
 * {@value #BITS_PER_KEY} bits per key about three of a hundred other keys pass.
 */
public final class KeyFilter {
  private static final int BITS_PER_KEY = 12;

  /** Odd numbers near fractions of 2^64, which spread the bits of a hash. */
  private static final long WORD_FACTOR = 0x9E3779B97F4A7C15L;

  private static final long BIT_FACTOR = 0xC2B2AE3D27D4EB4FL;
  private static final long LOW_BITS = 0xFFFF_FFFFL;
  private static final int BITS_OF_PLACE = 6;

  private final long[] words;

  private KeyFilter(long[] words) {
    this.words = words;
  }

  /**
   * Makes the filter of some hashes.
   *
   * @param hashes any number of arrays; a hash may occur several times
   */
  public static KeyFilter of(List<int[]> hashes) {
    long keys = hashes.stream().mapToLong(some -> some.length).sum();
    KeyFilter filter =
        new KeyFilter(new long[Math.toIntExact(keys * BITS_PER_KEY / Long.SIZE + 1)]);
    for (int[] some : hashes) {
      for (int hash : some) {
        filter.words[filter.place(hash)] |= bits(hash);
      }
    }
    return filter;
  }

  /**
   * Returns the filter with some words.
   *
   * @param words of {@link #words()}; the filter takes them
   */
  public static KeyFilter ofWords(long[] words) {
    if (words.length == 0) {
      throw new IllegalArgumentException("a filter without words");
    }
    return new KeyFilter(words);
  }

  /** Returns the words, which the caller does not change. */
  public long[] words() {
    return words;
  }

  /** Returns the bytes of the words. */
  public long sizeInBytes() {
    return (long) words.length * Long.BYTES;
  }

  /** Returns whether a hash may be one of the filter's; true for all of these. */
  public boolean mayContain(int hash) {
    long bits = bits(hash);
    return (words[place(hash)] & bits) == bits;
  }

  private int place(int hash) {
    long spread = ((hash & LOW_BITS) * WORD_FACTOR) >>> Integer.SIZE;
    return (int) ((spread * words.length) >>> Integer.SIZE);
  }

  /** Returns four bits, some of which may be the same. */
  private static long bits(int hash) {
    long spread = (hash & LOW_BITS) * BIT_FACTOR;
    spread ^= spread >>> Integer.SIZE;
    spread *= WORD_FACTOR;
    return bit(spread, 1) | bit(spread, 2) | bit(spread, 3) | bit(spread, 4);
  }

  /** Returns the bit that a few of the upper bits say. */
  private static long bit(long spread, int index) {
    return 1L << (spread >>> (Long.SIZE - index * BITS_OF_PLACE));
  }
}
