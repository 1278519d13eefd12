package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillableBatch;

/**
 * A batch of the probe side at rest, which is joined with one table after the other. What is known
 * of its rows stays in memory: a bit for each that has a pair.
 */
final class SpilledProbeBatch implements AutoCloseable {
  private final SpillableBatch batch;
  private MemoryBuffer bits; // null for none

  /** Takes the batch over. */
  SpilledProbeBatch(SpillableBatch batch) {
    this.batch = batch;
  }

  /**
   * Begins to join the batch with a table.
   *
   * @param isLast whether it is the last one: the batch is gone then
   * @return owned by the caller
   */
  ProbeBatch open(boolean isLast, OperatorContext context) {
    RecordBatch rows = isLast ? batch.take(context.allocator()) : batch.read(context.allocator());
    MemoryBuffer known = bits;
    bits = null;
    return new ProbeBatch(rows, isLast ? null : this, known, context);
  }

  /**
   * Takes what is known of the rows back, and the batch, when it was joined with a table.
   *
   * @param known owned by this from now on; null for nothing
   */
  void putBack(MemoryBuffer known) {
    bits = known;
    batch.unread();
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
