package io.ariadne.operator;

import io.ariadne.columnar.type.Schema;
import java.util.concurrent.CompletableFuture;

/**
 * A source of batches in independent splits, for example a scan of files in row groups.
 *
 * <p>One thread at a time calls {@link #next()}, though not always the same one. Meanwhile other
 * threads drive the splits that it has returned. {@link #close()} is called once, after all splits
 * are closed.
 */
public interface SplitSource extends AutoCloseable {
  /** Returns the columns of every batch of every split. */
  Schema schema();

  /**
   * Returns a future that completes when {@link #next()} can return without waiting for storage;
   * {@link Operator#NOT_BLOCKED} when it can now. Called by the thread that may call {@link
   * #next()}.
   */
  default CompletableFuture<Void> isBlocked() {
    return Operator.NOT_BLOCKED;
  }

  /**
   * Returns the next split, or null at the end. Where order is kept, the output of a split comes
   * before the output of later splits. Runs on a compute thread and may read from storage (a
   * footer). Lasts at most about 50 ms unless storage is slow, which a source that reads ahead
   * tells by {@link #isBlocked()}. Not called again after it has returned null or thrown.
   *
   * @return a split owned by the caller, who may close it without driving it
   * @throws io.ariadne.error.EngineException when the input is damaged or memory runs out; the
   *     caller sees it after the output of all splits that were returned before
   */
  Split next();

  /** Frees what the source owns. Called once, in any state. */
  @Override
  void close();
}
