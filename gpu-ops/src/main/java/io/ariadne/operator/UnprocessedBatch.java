package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * The batch whose take was refused memory, until the driver has it back ({@link
 * Operator#takeUnprocessed}, {@link SinkState#takeUnprocessed}). Used by one thread at a time.
 */
public final class UnprocessedBatch implements AutoCloseable {
  private RecordBatch batch;

  /** Returns whether a failure says that there was no memory. */
  public static boolean isShortage(Throwable failure) {
    return failure instanceof EngineException engine && engine.code() == ErrorCode.OUT_OF_MEMORY;
  }

  /**
   * Keeps the batch of a take that has failed without any effect, if it failed for lack of memory;
   * closes it otherwise.
   *
   * @param taken as it was, owned by this from now on
   * @param failure what the take throws
   */
  public void keepOrClose(RecordBatch taken, Throwable failure) {
    if (isShortage(failure)) {
      batch = taken;
      return;
    }
    Closer closer = new Closer();
    closer.close(taken);
    closer.suppressIn(failure);
  }

  /** Returns whether there is none. */
  public boolean isEmpty() {
    return batch == null;
  }

  /** Hands the batch to the caller; null when there is none. */
  public RecordBatch take() {
    RecordBatch taken = batch;
    batch = null;
    return taken;
  }

  /** Frees the batch when nobody wants it. */
  @Override
  public void close() {
    if (batch != null) {
      take().close();
    }
  }
}
