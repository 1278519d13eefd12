package io.ariadne.kernel.parquet;

import io.ariadne.kernel.abi.ParquetRebase;
import java.util.Arrays;

/**
 * The treatment of dates and timestamps that were written in the hybrid calendar: Julian before
 * 1582-10-15, Gregorian from then on.
 *
 * <p>Immutable. The table of a time zone has ascending instants in microseconds and, for each, what
 * to add from there on. The first instant is local midnight of Julian 0001-01-01; before it the
 * zone's offset does not change. Source: Spark 4.1, {@code RebaseDateTime}.
 */
public final class CalendarRebase {
  /** Values are taken as they are: Spark's mode CORRECTED. */
  public static final CalendarRebase NONE =
      new CalendarRebase(ParquetRebase.PARQUET_REBASE_NONE, new long[0], new long[0], 0);

  /** Days are moved to the same local date; for dates, which need no time zone. */
  public static final CalendarRebase DATES =
      new CalendarRebase(
          ParquetRebase.PARQUET_REBASE_LEGACY, new long[] {0}, new long[] {0}, Long.MIN_VALUE);

  private final int mode;
  private final long[] switches;
  private final long[] differences;
  private final long firstModern;

  private CalendarRebase(int mode, long[] switches, long[] differences, long firstModern) {
    this.mode = mode;
    this.switches = switches;
    this.differences = differences;
    this.firstModern = firstModern;
  }

  /**
   * Returns Spark's mode EXCEPTION: a value on which the calendars differ raises REBASE.
   *
   * @param firstModern microseconds from which on the calendars agree in every time zone, Spark's
   *     {@code lastSwitchJulianTs}; dates have their own limit, 1582-10-15
   */
  public static CalendarRebase failing(long firstModern) {
    return new CalendarRebase(
        ParquetRebase.PARQUET_REBASE_FAIL, new long[0], new long[0], firstModern);
  }

  /**
   * Returns Spark's mode LEGACY: values move to the same local date and time.
   *
   * @param switches ascending instants in microseconds, at least one
   * @param differences what to add from each instant on, as many; the last is 0
   * @param firstModern microseconds from which on nothing is added, at least the last switch
   */
  public static CalendarRebase legacy(long[] switches, long[] differences, long firstModern) {
    int count = switches.length;
    if (count == 0 || differences.length != count || differences[count - 1] != 0) {
      throw new IllegalArgumentException(count + " switches, " + differences.length + " values");
    }
    for (int i = 1; i < count; i++) {
      if (switches[i] <= switches[i - 1]) {
        throw new IllegalArgumentException("switch " + i + " is not after the one before");
      }
    }
    if (firstModern < switches[count - 1]) {
      throw new IllegalArgumentException("firstModern=" + firstModern);
    }
    return new CalendarRebase(
        ParquetRebase.PARQUET_REBASE_LEGACY, switches.clone(), differences.clone(), firstModern);
  }

  int mode() {
    return mode;
  }

  long firstModern() {
    return firstModern;
  }

  int switchCount() {
    return switches.length;
  }

  /** Returns the switches, then the differences. */
  long[] table() {
    long[] table = Arrays.copyOf(switches, 2 * switches.length);
    System.arraycopy(differences, 0, table, switches.length, differences.length);
    return table;
  }
}
