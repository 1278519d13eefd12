package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import java.util.concurrent.CompletableFuture;

/**
 * A piece of a {@link SplitSource}: one row group of one file, say. Driven by one thread at a time,
 * beside other splits of its source; holds little before the first {@link #next()}.
 */
public interface Split extends Repeatable, AutoCloseable {
  /**
   * Returns the next batch, or null at the end. Lasts at most about 50 ms; called only when {@link
   * #isBlocked()} is complete, and not again after it has returned null or has thrown. A split that
   * has none now returns a batch without rows, which is dropped: because it has to wait, which
   * {@link #isBlocked()} then tells, or because its turn took long enough.
   *
   * @return a batch owned by the caller, its sequence number without meaning
   * @throws io.ariadne.error.EngineException when the input is damaged or memory runs out
   */
  RecordBatch next();

  /**
   * Returns a future that completes when the split can go on; {@link Operator#NOT_BLOCKED} when it
   * can now. One that completes exceptionally fails the split.
   */
  default CompletableFuture<Void> isBlocked() {
    return Operator.NOT_BLOCKED;
  }

  /**
   * Returns how much memory the split holds at most between its first batch and {@link #close()},
   * besides the batches it has yielded; the same at any time. Whoever drives splits starts few that
   * hold much.
   *
   * @return bytes, estimated; 0 when it is little
   */
  default long memoryInBytes() {
    return 0;
  }

  /**
   * Frees what the split holds. Called once: at its end, when no more of it is wanted, or instead
   * of the first {@link #next()}.
   */
  @Override
  void close();
}
