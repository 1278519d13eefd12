package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;

/**
 * The complete build side of a join. Any number of threads may read it at once.
 *
 * @param kind of the join
 * @param table the rows that are in memory
 * @param spilled the spilled rows, with the probe rows they are joined with; null for none
 * @param rows all rows when the order is kept and there is no memory for a table; null for none
 * @param isEmpty whether the build side has no rows
 * @param hasNullKey whether a row has a null key; only known where the output depends on it
 */
record JoinBuild(
    JoinKind kind,
    JoinTable table,
    SpilledPartitionPairs spilled,
    BuildRows rows,
    boolean isEmpty,
    boolean hasNullKey)
    implements AutoCloseable {
  /** Returns whether the join has no output, whatever the probe side. */
  boolean yieldsNothing() {
    return (isEmpty && kind.needsBuildRows()) || (hasNullKey && kind == JoinKind.NULL_AWARE_ANTI);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(spilled);
    closer.close(rows);
    closer.close(table);
    closer.rethrow();
  }
}
