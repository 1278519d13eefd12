package io.ariadne.parquet.metadata;

/** What times and timestamps count. */
public enum TimeUnit {
  /** Milliseconds. */
  MILLIS,
  /** Microseconds. */
  MICROS,
  /** Nanoseconds. */
  NANOS
}
