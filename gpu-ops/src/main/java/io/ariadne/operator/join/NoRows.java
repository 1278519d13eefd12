package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.operator.SinkState;

/** The local state of a sink that takes no rows and fails when it gets some. */
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
