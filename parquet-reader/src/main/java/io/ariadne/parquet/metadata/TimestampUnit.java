package io.ariadne.parquet.metadata;

/** What times and timestamps count. */
public enum TimestampUnit {
  /** Milliseconds. */
  MILLIS,
  /** Microseconds. */
  MICROS,
  /** Nanoseconds. */
  NANOS
}
