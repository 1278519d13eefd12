package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;

/**
 * What one thread of work has accumulated for a {@link SinkOperator}. Used by one thread at a time.
 */
public interface SinkState extends Repeatable, AutoCloseable {
  /**
   * Accumulates a batch.
   *
   * @param batch owned by the state from now on, also when this throws
   */
  void addInput(RecordBatch batch);

  /**
   * Hands back the batch of an {@link #addInput} that has just thrown OUT_OF_MEMORY and has had no
   * effect: the driver gives it, or its rows in several batches, again when there is memory.
   *
   * @return the batch as it was, owned by the caller; null when the state cannot go on
   */
  default RecordBatch takeUnprocessed() {
    return null;
  }

  /**
   * Does the next part of what can be done for this state alone before {@link
   * SinkOperator#combine}. Called after the last input until it returns true, each time for at most
   * about 50 ms, while other threads do the same for other states: work that combining would do for
   * one state after the other belongs here. Combining does what was left when a state comes without
   * that.
   *
   * @return whether nothing is left to be done
   */
  default boolean finish() {
    return true;
  }

  /**
   * Frees everything the state holds. Called once: by {@link SinkOperator#combine}, else by the
   * driver.
   */
  @Override
  void close();
}
