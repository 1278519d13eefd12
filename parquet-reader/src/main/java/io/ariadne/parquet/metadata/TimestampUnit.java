package io.ariadne.parquet.metadata;

/** The unit of times and timestamps. */
public enum TimestampUnit {
  /** Milliseconds. */
  MILLIS,
  /** Microseconds. */
  MICROS,
  /** Nanoseconds. */
  NANOS
}
