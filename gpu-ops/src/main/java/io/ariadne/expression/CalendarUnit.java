package io.ariadne.expression;

/** Units of time, ascending: what dates and timestamps are truncated to and counted in. */
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
