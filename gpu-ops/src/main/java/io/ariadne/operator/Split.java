package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import java.util.concurrent.CompletableFuture;

/**
 * An independent piece of a {@link SplitSource}, for example a row group of a file. One thread at a
 * time drives it, while other threads drive other splits of its source. It holds little memory
 * before the first {@link #next()}.
 */
public interface Split extends Repeatable, AutoCloseable {
  /**
   * Returns the next batch, or null at the end. Lasts at most about 50 ms. Called only when {@link
   * #isBlocked()} is complete, and not again after it has returned null or thrown. A split without
   * a batch now returns one without rows, which the driver drops: the split is blocked, as {@link
   * #isBlocked()} then tells, or the call has lasted long enough.
   *
   * @return a batch owned by the caller; its sequence number has no meaning
   * @throws io.ariadne.error.EngineException when the input is damaged or memory runs out
   */
  RecordBatch next();

  /**
   * Returns a future that completes when the split can continue; {@link Operator#NOT_BLOCKED} when
   * it can continue now. A future that completes exceptionally fails the split.
   */
  default CompletableFuture<Void> isBlocked() {
    return Operator.NOT_BLOCKED;
  }

  /**
   * Returns how much memory the split holds at most between its first batch and {@link #close()},
   * besides the batches it has yielded. The value never changes. The runtime drives few splits at a
   * time that hold much.
   *
   * @return bytes, estimated; 0 when it is little
   */
  default long memoryInBytes() {
    return 0;
  }

  /**
   * Frees what the split owns. Called once: at the end, when no more of the split is needed, or
   * instead of the first {@link #next()}.
   */
  @Override
  void close();
}
