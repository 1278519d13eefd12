package io.ariadne.parquet.schema;

/**
 * How to treat dates and timestamps from before the calendars agree, in files that do not state
 * their calendar (Spark: {@code LegacyBehaviorPolicy}).
 */
public enum RebaseMode {
  /** Such a value is an error. */
  EXCEPTION,
  /**
   * Values are converted from the hybrid Julian and Gregorian calendar to the proleptic Gregorian.
   */
  LEGACY,
  /** Values are not changed. */
  CORRECTED
}
