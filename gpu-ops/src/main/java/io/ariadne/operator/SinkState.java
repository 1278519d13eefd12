package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;

/**
 * What one thread of work has accumulated for a {@link SinkOperator}. Used by one thread at a time.
 */
public interface SinkState extends AutoCloseable {
  /**
   * Accumulates a batch.
   *
   * @param batch owned by the state from now on, also when this throws
   */
  void addInput(RecordBatch batch);

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
