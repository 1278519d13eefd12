package io.ariadne.kernel.tile;

import io.ariadne.columnar.buffer.Memory;

/**
 * Accumulators of the kernels' sums of doubles, in host memory ({@code element/float_sum.cuh}).
 *
 * <p>Each of four consecutive bins of 26 bits has the sum of the parts of all values that fall into
 * it, as an integer; parts below the lowest bin are dropped. So the sum depends neither on the
 * order nor on the grouping of the values. It is the sum of the values, each truncated at least 78
 * bits below the leading bit of the largest value, rounded once.
 */
public final class FloatSum {
  /** Bytes of an accumulator; all zero for the sum of no values. */
  static final int SIZE_IN_BYTES = 48;

  private static final int BINS = 4;
  private static final int BIN_BITS = 26;
  private static final long BIN_MASK = (1L << BIN_BITS) - 1;
  private static final int TWO_BINS = 2 * BIN_BITS;
  private static final long TWO_BINS_MASK = (1L << TWO_BINS) - 1;
  private static final int LOW_OFFSET = BINS * Long.BYTES;
  private static final int SPECIAL_OFFSET = LOW_OFFSET + Integer.BYTES;
  private static final int NAN = 1;
  private static final int POSITIVE_INFINITY = 2;
  private static final int NEGATIVE_INFINITY = 4;
  private static final int SMALLEST_EXPONENT = -1074;
  private static final int DIGITS = 53;

  private FloatSum() {}

  /**
   * Adds an accumulator to another.
   *
   * @param target address of the accumulator that changes
   * @param source address of the accumulator to add
   */
  static void combine(long target, long source) {
    int low = Memory.getInt(target + LOW_OFFSET);
    int sourceLow = Memory.getInt(source + LOW_OFFSET);
    raise(target, sourceLow - low);
    int first = Math.max(0, low - sourceLow);
    for (int i = first; i < BINS; i++) {
      long at = target + (long) (i - first) * Long.BYTES;
      Memory.putLong(at, Memory.getLong(at) + Memory.getLong(source + (long) i * Long.BYTES));
    }
    int special = Memory.getInt(target + SPECIAL_OFFSET) | Memory.getInt(source + SPECIAL_OFFSET);
    Memory.putInt(target + SPECIAL_OFFSET, special);
  }

  /** Moves the bins up by a number of bins if that is positive. */
  private static void raise(long address, int distance) {
    if (distance <= 0) {
      return;
    }
    for (int i = 0; i < BINS; i++) {
      long from = address + ((long) i + distance) * Long.BYTES;
      long value = i + distance < BINS ? Memory.getLong(from) : 0;
      Memory.putLong(address + (long) i * Long.BYTES, value);
    }
    Memory.putInt(address + LOW_OFFSET, Memory.getInt(address + LOW_OFFSET) + distance);
  }

  /**
   * Returns the sum: NaN if a value was NaN or there were infinities of both signs; otherwise the
   * double nearest to the exact sum of the kept parts, ties to even, infinite beyond the largest
   * double; 0.0, never -0.0, for no values.
   *
   * @param address of the accumulator
   */
  public static double read(long address) {
    int special = Memory.getInt(address + SPECIAL_OFFSET);
    if (special == POSITIVE_INFINITY) {
      return Double.POSITIVE_INFINITY;
    }
    if (special == NEGATIVE_INFINITY) {
      return Double.NEGATIVE_INFINITY;
    }
    if ((special & (NAN | POSITIVE_INFINITY | NEGATIVE_INFINITY)) != 0) {
      return Double.NaN;
    }
    int exponent = SMALLEST_EXPONENT + BIN_BITS * Memory.getInt(address + LOW_OFFSET);
    return rounded(
        Memory.getLong(address),
        Memory.getLong(address + Long.BYTES),
        Memory.getLong(address + 2L * Long.BYTES),
        Memory.getLong(address + 3L * Long.BYTES),
        exponent);
  }

  /** Returns the double nearest to the sum of bins; the unit of the lowest is 2^exponent. */
  private static double rounded(long a, long b, long c, long d, int exponent) {
    // carry, so that all bins but the highest are digits
    long b1 = b + (a >> BIN_BITS);
    long c1 = c + (b1 >> BIN_BITS);
    long high = d + (c1 >> BIN_BITS);
    long middle = ((c1 & BIN_MASK) << BIN_BITS) | (b1 & BIN_MASK);
    long low = a & BIN_MASK;
    boolean isNegative = high < 0;
    if (isNegative) {
      // the two's complement of the three parts
      low = (1L << BIN_BITS) - low;
      middle = TWO_BINS_MASK - middle + (low >> BIN_BITS);
      high = -high - 1 + (middle >> TWO_BINS);
      low &= BIN_MASK;
      middle &= TWO_BINS_MASK;
    }
    double magnitude = magnitude(high, middle, low, exponent);
    return isNegative ? -magnitude : magnitude;
  }

  /** Returns the double nearest to (high x 2^78 + middle x 2^26 + low) x 2^exponent. */
  private static double magnitude(long high, long middle, long low, int exponent) {
    int ofMiddle = Math.min(Long.numberOfLeadingZeros(high) - 1, TWO_BINS);
    int dropped = TWO_BINS - ofMiddle;
    long digits = (high << ofMiddle) | (middle >>> dropped);
    boolean isSticky = (middle & ((1L << dropped) - 1)) != 0;
    if (dropped != 0) {
      return rounded(digits, isSticky || low != 0, exponent + BIN_BITS + dropped);
    }
    int ofLow = Math.min(Long.numberOfLeadingZeros(digits) - 1, BIN_BITS);
    dropped = BIN_BITS - ofLow;
    isSticky = (low & ((1L << dropped) - 1)) != 0;
    return rounded((digits << ofLow) | (low >>> dropped), isSticky, exponent + dropped);
  }

  /**
   * Returns the double nearest to a number that is not negative, ties to even.
   *
   * @param digits its leading bits: all of them, or 63
   * @param isSticky whether bits below are set
   * @param exponent of the last of the digits
   */
  private static double rounded(long digits, boolean isSticky, int exponent) {
    int dropped = Long.SIZE - Long.numberOfLeadingZeros(digits) - DIGITS;
    if (dropped <= 0) {
      return Math.scalb((double) digits, exponent);
    }
    long kept = digits >>> dropped;
    long half = 1L << (dropped - 1);
    long below = digits & ((1L << dropped) - 1);
    boolean isAbove = below > half || (below == half && isSticky);
    boolean isTie = below == half && !isSticky;
    long nearest = isAbove || (isTie && (kept & 1) != 0) ? kept + 1 : kept;
    return Math.scalb((double) nearest, exponent + dropped);
  }
}
