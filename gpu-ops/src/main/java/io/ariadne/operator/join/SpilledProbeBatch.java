package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillableBatch;

/**
 * A spilled batch of the probe side that is joined with several tables, one after the other. A bit
 * per row stays in memory: whether the row has a pair.
 */
final class SpilledProbeBatch implements AutoCloseable {
  private final SpillableBatch batch;
  private MemoryBuffer bits; // null for none

  /** Takes ownership of the batch. */
  SpilledProbeBatch(SpillableBatch batch) {
    this.batch = batch;
  }

  /**
   * Opens the batch to be joined with a table.
   *
   * @param isLast whether this is the last table: the batch is then taken out of the spill space
   * @return owned by the caller
   */
  ProbeBatch open(boolean isLast, OperatorContext context) {
    RecordBatch rows = isLast ? batch.take(context.allocator()) : batch.read(context.allocator());
    MemoryBuffer known = bits;
    bits = null;
    return new ProbeBatch(rows, isLast ? null : this, known, context);
  }

  /**
   * Takes the bits and the batch back after it was joined with a table.
   *
   * @param known the bits, ownership passes to this object; null for none
   */
  void putBack(MemoryBuffer known) {
    bits = known;
    batch.unread();
    batch.prefetch(); // for the next table
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(bits);
    bits = null;
    closer.close(batch);
    closer.rethrow();
  }
}
