package io.ariadne.parquet.metadata;

/**
 * The trusted statistics of a column chunk or page.
 *
 * <p>Bounds are as the format stores them: little-endian for numbers, one byte for booleans, and
 * the bytes themselves for binaries, which may be truncated ({@code isMinExact}, {@code
 * isMaxExact}). They compare as the type does: integers by their annotation's sign, binaries by
 * unsigned bytes, decimals in binaries as signed big-endian numbers. Bounds of floating-point
 * numbers may ignore NaN: values may be NaN unless {@code isFreeOfNan}. A bound of zero is the zero
 * that bounds both zeros.
 *
 * @param min lower bound, null when unknown
 * @param max upper bound, null exactly when {@code min} is
 * @param nullCount number of nulls, {@link #UNKNOWN_COUNT} when unknown
 * @param isMinExact whether {@code min} is known to occur
 * @param isMaxExact whether {@code max} is known to occur
 * @param isFreeOfNan whether bounds of floating-point numbers show that no value is NaN
 */
@SuppressWarnings("ArrayRecordComponent")
public record Statistics(
    byte[] min,
    byte[] max,
    long nullCount,
    boolean isMinExact,
    boolean isMaxExact,
    boolean isFreeOfNan) {
  /** {@link #nullCount()} when the number of nulls is unknown. */
  public static final long UNKNOWN_COUNT = -1;

  /** Nothing is known. */
  public static final Statistics NONE = new Statistics(null, null, UNKNOWN_COUNT, false, false);

  /** Checks that both bounds are present or none. */
  public Statistics {
    if ((min == null) != (max == null)) {
      throw new IllegalArgumentException("one bound without the other");
    }
  }

  /** Creates statistics that do not exclude NaN. */
  public Statistics(
      byte[] min, byte[] max, long nullCount, boolean isMinExact, boolean isMaxExact) {
    this(min, max, nullCount, isMinExact, isMaxExact, false);
  }

  /** Returns whether bounds are known. */
  public boolean hasBounds() {
    return min != null;
  }

  /** Returns whether the number of nulls is known. */
  public boolean hasNullCount() {
    return nullCount != UNKNOWN_COUNT;
  }
}
