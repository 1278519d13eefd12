package io.ariadne.expression;

/**
 * Units of time in ascending order. Dates and timestamps are truncated to them and counted in them.
 */
public enum CalendarUnit {
  /** 10^-6 seconds. */
  MICROSECOND,
  /** 10^-3 seconds. */
  MILLISECOND,
  /** Second. */
  SECOND,
  /** 60 seconds. */
  MINUTE,
  /** 3600 seconds. */
  HOUR,
  /** Local day. */
  DAY,
  /** Seven days from Monday. */
  WEEK,
  /** Month of the proleptic Gregorian calendar. */
  MONTH,
  /** Three months from January, April, July or October. */
  QUARTER,
  /** Year of the proleptic Gregorian calendar. */
  YEAR
}
