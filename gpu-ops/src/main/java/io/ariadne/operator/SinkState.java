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
   * Asks the state to give up memory; called between inputs, never during one.
   *
   * @param bytes how much is wanted
   * @return how much was freed, 0 when the state holds nothing it can give up
   */
  default long revoke(long bytes) {
    return 0;
  }

  /**
   * Frees everything the state holds. Called once: by {@link SinkOperator#combine}, else by the
   * driver.
   */
  @Override
  void close();
}
