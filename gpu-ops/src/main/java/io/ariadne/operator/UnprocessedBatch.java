package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;

/**
 * Holds a batch that an operator or a sink could not process for lack of memory, until the driver
 * takes it back ({@link Operator#takeUnprocessed}, {@link SinkState#takeUnprocessed}). Used by one
 * thread at a time.
 */
public final class UnprocessedBatch implements AutoCloseable {
  private RecordBatch batch;

  /**
   * Keeps a batch if it failed for lack of memory, without any effect; closes it otherwise.
   *
   * @param taken the unchanged batch, ownership passes to this object
   * @param failure the failure; gets what closing throws as suppressed
   */
  public void keepOrClose(RecordBatch taken, Throwable failure) {
    if (EngineException.isOutOfMemory(failure)) {
      batch = taken;
      return;
    }
    Closer closer = new Closer();
    closer.close(taken);
    closer.suppressIn(failure);
  }

  /** Returns whether there is no batch. */
  public boolean isEmpty() {
    return batch == null;
  }

  /** Returns the batch, owned by the caller; null when there is none. */
  public RecordBatch take() {
    RecordBatch taken = batch;
    batch = null;
    return taken;
  }

  /** Frees the batch when the driver has not taken it. */
  @Override
  public void close() {
    if (batch != null) {
      take().close();
    }
  }
}
