package io.ariadne.io;

import java.util.concurrent.CompletableFuture;

/** A read that {@link ByteRangeReader#start} has started. Thread-safe. */
public interface PendingRead {
  /** Returns a read that could not be started: its completion has the reason. */
  static PendingRead failed(Throwable reason) {
    return new FailedRead(CompletableFuture.failedFuture(reason));
  }

  /**
   * Returns a future that completes once the read has ended and nothing writes to its targets any
   * more: normally when all bytes have arrived, with an {@link java.io.IOException} that names the
   * file when they have not, with a {@link java.util.concurrent.CancellationException} after {@link
   * #cancel}. The caller does not complete it.
   */
  CompletableFuture<Void> completion();

  /**
   * Asks the read to end soon. Does not wait: {@link #completion} tells when the targets may be
   * freed. Has no effect on a read that has ended.
   */
  void cancel();

  /** Returns whether the reader works on the read, as opposed to waiting for a thread. */
  default boolean hasBegun() {
    return true;
  }
}
