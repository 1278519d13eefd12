package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.operator.SinkState;

/** A thread's part of a sink that takes no rows: whoever sends some is wrong. */
class NoRows implements SinkState {
  private final String message;

  /**
   * Creates a state.
   *
   * @param message why there are no rows
   */
  NoRows(String message) {
    this.message = message;
  }

  @Override
  public final void addInput(RecordBatch batch) {
    batch.close();
    throw new IllegalStateException(message);
  }

  @Override
  public void close() {}
}
