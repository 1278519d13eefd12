package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;

/** The state of one pipeline driver for a {@link SinkOperator}. Used by one thread at a time. */
public interface SinkState extends Repeatable, AutoCloseable {
  /**
   * Adds a batch.
   *
   * @param batch ownership passes to the state, also when this throws
   */
  void addInput(RecordBatch batch);

  /**
   * Returns the batch of an {@link #addInput} that has just thrown OUT_OF_MEMORY and had no effect.
   * The driver adds it again when there is memory, as a whole or in several batches.
   *
   * @return the unchanged batch, owned by the caller; null when the state cannot continue
   */
  default RecordBatch takeUnprocessed() {
    return null;
  }

  /**
   * Does the next part of the work that concerns only this state, before {@link
   * SinkOperator#combine}. Called after the last input until it returns true, each time for at most
   * about 50 ms, while other threads finish other states. Work that {@code combine} would otherwise
   * do for one state after the other belongs here. {@code combine} does this work for a state that
   * was not finished.
   *
   * @return whether nothing is left to do
   */
  default boolean finish() {
    return true;
  }

  /**
   * Frees everything that the state owns. Called once: by {@link SinkOperator#combine}, else by the
   * driver.
   */
  @Override
  void close();
}
