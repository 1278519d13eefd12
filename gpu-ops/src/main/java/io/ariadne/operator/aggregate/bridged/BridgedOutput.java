package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.operator.aggregate.GroupKeys;

/** Reads the groups of a complete {@link BridgedTable} as batches; does not own the table. */
final class BridgedOutput implements AutoCloseable {
  private static final int OUTPUT_ROWS = 8192;

  private final BridgedTable table;
  private final GroupKeys keys;
  private int nextGroup;

  BridgedOutput(BridgedTable table) {
    this.table = table;
    this.keys = table.keys();
  }

  /**
   * Returns the next batch, owned by the caller; must not be called at the end.
   *
   * @param sequence the number of the batch
   */
  RecordBatch next(long sequence) {
    int wanted = Math.min(OUTPUT_ROWS, table.groupCount() - nextGroup);
    int count = keys == null ? wanted : keys.countThatFits(nextGroup, wanted);
    RecordBatch batch = table.read(keys, nextGroup, count, sequence);
    nextGroup += count;
    return batch;
  }

  /** Returns whether no more batches come. */
  boolean isFinished() {
    return nextGroup >= table.groupCount();
  }

  @Override
  public void close() {
    if (keys != null) {
      keys.close();
    }
  }
}
