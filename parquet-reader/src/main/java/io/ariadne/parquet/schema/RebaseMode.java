package io.ariadne.parquet.schema;

/**
 * What becomes of dates and timestamps before the calendars agree, in files that do not say which
 * calendar they were written with (Spark: {@code LegacyBehaviorPolicy}).
 */
public enum RebaseMode {
  /** Such a value is an error. */
  EXCEPTION,
  /** Values are taken from the hybrid Julian and Gregorian calendar to the proleptic Gregorian. */
  LEGACY,
  /** Values are taken as they are. */
  CORRECTED
}
