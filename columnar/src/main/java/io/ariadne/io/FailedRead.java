package io.ariadne.io;

import java.util.concurrent.CompletableFuture;

/**
 * A read that has not been started.
 *
 * @param completion completed with the reason
 */
record FailedRead(CompletableFuture<Void> completion) implements PendingRead {
  @Override
  public void cancel() {
    // It has ended.
  }
}
