package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import java.util.concurrent.CompletableFuture;

/**
 * A step of a pipeline. One thread at a time drives it.
 *
 * <p>Protocol: while {@link #needsInput()} is true, the driver calls {@link #addInput}. After the
 * last input it calls {@link #finish()}. After each of these calls it drains {@link #getOutput()}
 * until that returns null. The operator has ended when {@link #isFinished()} is true. Ownership of
 * input and output batches passes with them. A call lasts at most about 50 ms. {@link #close()} is
 * called once, at any time, and frees everything.
 */
public interface Operator extends Repeatable, AutoCloseable {
  /** A completed future: the operator is not blocked. */
  CompletableFuture<Void> NOT_BLOCKED = CompletableFuture.completedFuture(null);

  /** Returns the columns of the output. */
  Schema outputSchema();

  /** Returns whether {@link #addInput} may be called now; never after {@link #finish()}. */
  boolean needsInput();

  /**
   * Takes a batch.
   *
   * @param batch ownership passes to the operator, also when this throws
   */
  void addInput(RecordBatch batch);

  /**
   * Returns the batch of an {@link #addInput} that has just thrown OUT_OF_MEMORY and had no effect.
   * The driver adds it again when there is memory, as a whole or in several batches.
   *
   * @return the unchanged batch, owned by the caller; null when the operator cannot continue
   */
  default RecordBatch takeUnprocessed() {
    return null;
  }

  /**
   * Returns the next output batch, owned by the caller, or null when there is none now. The driver
   * drops a batch without rows: an operator returns one to end a long call while it may have more
   * output.
   */
  RecordBatch getOutput();

  /**
   * Returns whether the operator buffers rows that only wait for more rows to form a larger batch.
   */
  default boolean hasBufferedRows() {
    return false;
  }

  /**
   * Makes {@link #getOutput()} emit the buffered rows, because more input may not come for some
   * time.
   */
  default void flush() {}

  /** Tells that no more input comes. Idempotent. */
  void finish();

  /** Returns whether no more output comes. */
  boolean isFinished();

  /**
   * Returns a future that completes when the operator can continue; {@link #NOT_BLOCKED} when it
   * can continue now.
   */
  default CompletableFuture<Void> isBlocked() {
    return NOT_BLOCKED;
  }

  /** Frees everything that the operator owns. Called once, in any state. */
  @Override
  void close();
}
