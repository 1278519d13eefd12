package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;

/**
 * Pairs a spilled partition of the build side with the spilled partition of the probe side that has
 * the same hash bits. The pair is joined separately from all other rows.
 *
 * @param build rows of the build side
 * @param probe rows of the probe side
 */
record SpilledPartitionPair(SpilledPartition build, SpilledPartition probe)
    implements AutoCloseable {
  /** Returns whether there is any output. */
  boolean yieldsRows(JoinKind kind) {
    return (probe.rowCount() > 0 && (build.rowCount() > 0 || !kind.needsBuildRows()))
        || (build.rowCount() > 0 && kind.yieldsUnmarkedRows());
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(build);
    closer.close(probe);
    closer.rethrow();
  }
}
