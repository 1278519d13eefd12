package io.ariadne.spill.disk;

import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * A read or write between a page and a disk. The page is in use until the transfer ends, so waiting
 * cannot be interrupted: interrupts stay pending.
 *
 * @param done completes when the bytes are transferred, or exceptionally
 * @param what describes the transfer, for messages
 */
record Transfer<T>(CompletableFuture<T> done, String what) {
  /**
   * Waits for the end of the transfer.
   *
   * @return its result
   * @throws IOException when the system failed
   * @throws IllegalStateException when it failed otherwise
   */
  T await() throws IOException {
    awaitEnd(done, what);
    try {
      return done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw new IOException(what + " failed: " + cause.getMessage(), cause);
      }
      throw new IllegalStateException(what + " failed", e.getCause());
    }
  }

  /** Waits until at least one of several transfers has ended. */
  static void awaitAny(List<? extends Transfer<?>> several) {
    CompletableFuture<?>[] ends =
        several.stream().map(Transfer::done).toArray(CompletableFuture<?>[]::new);
    awaitEnd(CompletableFuture.anyOf(ends), several.get(0).what());
  }

  /** Waits until the transfer has ended, successfully or not. */
  void awaitEnd() {
    awaitEnd(done, what);
  }

  private static void awaitEnd(CompletableFuture<?> end, String what) {
    if (end.isDone()) {
      return;
    }
    boolean interrupted = false;
    Wait wait = ThreadRecord.current().await(WaitKind.DISK, what, 0, null);
    try {
      while (!end.isDone()) {
        try {
          end.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          break;
        }
      }
    } finally {
      wait.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
