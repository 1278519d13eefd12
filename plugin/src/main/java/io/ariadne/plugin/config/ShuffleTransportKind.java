package io.ariadne.plugin.config;

/** What moves blocks of map outputs in memory between executors. */
public enum ShuffleTransportKind {
  /** Spark's block transfer. */
  SPARK,
  /** Ariadne's own transport over TCP. */
  TCP,
  /** Ariadne's own transport over UCX, and over TCP to peers that UCX does not reach. */
  UCX,
  /** {@link #UCX} on a machine with an active port for RDMA, and {@link #TCP} on others. */
  AUTO
}
