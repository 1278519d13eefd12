package io.ariadne.plugin.config;

/** What moves blocks of map outputs in memory between executors. */
public enum ShuffleTransportKind {
  /** Spark's block transfer. */
  SPARK,
  /** Ariadne's own transport over TCP. */
  TCP
}
