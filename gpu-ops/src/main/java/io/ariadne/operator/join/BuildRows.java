package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.spill.SpillableBatch;
import java.util.List;

/**
 * Rows of a build side that were refused memory for one hash table and must not be partitioned. Any
 * number of threads may read them at once.
 *
 * @param batches in the order of the input; owned by this
 * @param rowCount rows of all batches
 * @param bytes bytes of their columns in memory
 */
record BuildRows(List<SpillableBatch> batches, long rowCount, long bytes) implements AutoCloseable {
  /** Copies the list. */
  BuildRows {
    batches = List.copyOf(batches);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    closer.rethrow();
  }
}
