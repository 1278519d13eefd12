package io.ariadne.benchmark.cloudsort;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * Records in the layout of gensort's binary records, each computed from a seed and its number.
 *
 * <pre>
 *   0 .. 9    key: 80 random bits
 *  10 .. 11   00 11
 *  12 .. 43   number, as 32 hexadecimal digits
 *  44 .. 47   88 99 AA BB
 *  48 .. 95   twelve hexadecimal digits of the random bits, each four times
 *  96 .. 99   CC DD EE FF
 * </pre>
 *
 * <p>The random bits are those of SplitMix64, not those of gensort. Thread-safe.
 *
 * @param seed chooses the random bits
 */
public record SortRecords(long seed) {
  /** Bytes of a record. */
  public static final int BYTES = 100;

  /** Bytes of its key, which is at the start. */
  public static final int KEY_BYTES = 10;

  /** Bytes of its payload. */
  public static final int PAYLOAD_BYTES = BYTES - KEY_BYTES;

  /** The number of no record. */
  public static final long NONE = -1;

  private static final int NUMBER = 12;
  private static final int NUMBER_DIGITS = 32;
  private static final int LONG_DIGITS = 16;
  private static final int FILLER = 48;
  private static final int FILLER_DIGITS = 12;
  private static final int REPEATS = 4;
  private static final int DIGIT_BITS = 4;
  private static final int DIGIT_MASK = 15;
  private static final byte[] DIGITS = "0123456789ABCDEF".getBytes(US_ASCII);
  private static final byte[] FIRST_BREAK = {0x00, 0x11};
  private static final byte[] SECOND_BREAK = {(byte) 0x88, (byte) 0x99, (byte) 0xAA, (byte) 0xBB};
  private static final byte[] LAST_BREAK = {(byte) 0xCC, (byte) 0xDD, (byte) 0xEE, (byte) 0xFF};

  /** The increment of SplitMix64's state. */
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  /**
   * Computes a record.
   *
   * @param number its number, not negative
   * @param record receives the {@link #BYTES} bytes
   */
  public void fill(long number, byte[] record) {
    long first = mix(seed + (2 * number + 1) * GAMMA);
    long second = mix(seed + (2 * number + 2) * GAMMA);
    for (int i = 0; i < Long.BYTES; i++) {
      record[i] = (byte) (first >>> (Long.SIZE - Byte.SIZE * (i + 1)));
    }
    record[Long.BYTES] = (byte) (second >>> (Long.SIZE - Byte.SIZE));
    record[Long.BYTES + 1] = (byte) (second >>> (Long.SIZE - 2 * Byte.SIZE));
    put(FIRST_BREAK, record, KEY_BYTES);
    Arrays.fill(record, NUMBER, NUMBER + NUMBER_DIGITS - LONG_DIGITS, (byte) '0');
    for (int i = 0; i < LONG_DIGITS; i++) {
      record[NUMBER + NUMBER_DIGITS - 1 - i] = digit(number, i);
    }
    put(SECOND_BREAK, record, NUMBER + NUMBER_DIGITS);
    for (int i = 0; i < FILLER_DIGITS; i++) {
      int start = FILLER + REPEATS * i;
      Arrays.fill(record, start, start + REPEATS, digit(second, FILLER_DIGITS - 1 - i));
    }
    put(LAST_BREAK, record, FILLER + REPEATS * FILLER_DIGITS);
  }

  private static void put(byte[] bytes, byte[] record, int start) {
    System.arraycopy(bytes, 0, record, start, bytes.length);
  }

  /** Returns a hexadecimal digit of a value, the lowest one for place 0. */
  private static byte digit(long value, int place) {
    return DIGITS[(int) (value >>> (DIGIT_BITS * place)) & DIGIT_MASK];
  }

  /** Returns the next output of SplitMix64 for a state. */
  private static long mix(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Returns the number that a record's payload contains, or {@link #NONE} when there is none. */
  public static long number(byte[] record) {
    long number = 0;
    for (int i = NUMBER; i < NUMBER + NUMBER_DIGITS; i++) {
      int digit = Character.digit(record[i], 1 << DIGIT_BITS);
      if (digit < 0 || number >>> (Long.SIZE - 1 - DIGIT_BITS) != 0) {
        return NONE;
      }
      number = number << DIGIT_BITS | digit;
    }
    return number;
  }
}
