package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;

/**
 * The build side of a join, complete. Read by all threads of work at once.
 *
 * @param kind of the join
 * @param table the rows that are in memory
 * @param spilled the others, and what becomes of them; null for none
 * @param isEmpty whether there are no rows at all
 * @param hasNullKey whether one has a key that is null; only known where that matters
 */
record JoinBuild(
    JoinKind kind,
    JoinTable table,
    SpilledPartitionPairs spilled,
    boolean isEmpty,
    boolean hasNullKey)
    implements AutoCloseable {
  /** Returns whether the join has no output whatever the probe side is. */
  boolean yieldsNothing() {
    return (isEmpty && kind.needsBuildRows()) || (hasNullKey && kind == JoinKind.NULL_AWARE_ANTI);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(spilled);
    closer.close(table);
    closer.rethrow();
  }
}
