package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import java.util.concurrent.CompletableFuture;

/**
 * One step of a pipeline, driven by one thread at a time.
 *
 * <p>Protocol: while {@link #needsInput()}, the driver calls {@link #addInput}; after the last
 * input {@link #finish()}; after either it drains {@link #getOutput()} until it returns null; the
 * operator is over when {@link #isFinished()}. Batches passed in and out change owner. One call
 * lasts at most about 50 ms. {@link #close()} may come at any time, once, and frees everything.
 */
public interface Operator extends Repeatable, AutoCloseable {
  /** A future that is already complete: the operator is not blocked. */
  CompletableFuture<Void> NOT_BLOCKED = CompletableFuture.completedFuture(null);

  /** Returns the columns of the output. */
  Schema outputSchema();

  /** Returns whether {@link #addInput} may be called now; never after {@link #finish()}. */
  boolean needsInput();

  /**
   * Takes a batch.
   *
   * @param batch owned by the operator from now on, also when this throws
   */
  void addInput(RecordBatch batch);

  /**
   * Hands back the batch of an {@link #addInput} that has just thrown OUT_OF_MEMORY and has had no
   * effect: the driver gives it, or its rows in several batches, again when there is memory.
   *
   * @return the batch as it was, owned by the caller; null when the operator cannot go on
   */
  default RecordBatch takeUnprocessed() {
    return null;
  }

  /**
   * Returns the next output batch, owned by the caller, or null when there is none now. One without
   * rows is dropped: an operator returns it when its turn took long enough and there may be more.
   */
  RecordBatch getOutput();

  /** Returns whether there are rows that wait only for more, to become a larger batch. */
  default boolean keepsBack() {
    return false;
  }

  /** Has {@link #getOutput()} put out what is kept back, as more may not come for some time. */
  default void flush() {}

  /** Says that no more input comes. Idempotent. */
  void finish();

  /** Returns whether no more output comes. */
  boolean isFinished();

  /**
   * Returns a future that completes when the operator can go on; {@link #NOT_BLOCKED} when it can
   * now.
   */
  default CompletableFuture<Void> isBlocked() {
    return NOT_BLOCKED;
  }

  /** Frees everything the operator holds. Called once, in any state. */
  @Override
  void close();
}
