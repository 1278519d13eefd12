package io.ariadne.expression;

/** Which part of an aggregation an operator does (Spark's AggregateMode). */
public enum AggregateMode {
  /** Values in, buffers out. */
  PARTIAL,
  /** Buffers in, buffers out. */
  PARTIAL_MERGE,
  /** Buffers in, results out. */
  FINAL,
  /** Values in, results out. */
  COMPLETE
}
