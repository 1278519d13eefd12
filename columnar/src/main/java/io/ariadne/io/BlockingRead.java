package io.ariadne.io;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs {@link ByteRangeReader#readAll} on a thread of an executor. A read that has not begun when
 * it is cancelled never begins; one that has begun runs to its end.
 */
final class BlockingRead implements PendingRead, Runnable {
  private final ByteRangeReader reader;
  private final List<ByteRange> ranges;
  private final CompletableFuture<Void> completion = new CompletableFuture<>();
  private final AtomicBoolean begun = new AtomicBoolean();

  private BlockingRead(ByteRangeReader reader, List<ByteRange> ranges) {
    this.reader = reader;
    this.ranges = List.copyOf(ranges);
  }

  /**
   * Starts a read.
   *
   * @param reader the file
   * @param ranges what to read
   * @param threads runs the read; where it refuses, the read fails
   */
  static PendingRead start(ByteRangeReader reader, List<ByteRange> ranges, Executor threads) {
    BlockingRead read = new BlockingRead(reader, ranges);
    try {
      threads.execute(read);
    } catch (RejectedExecutionException e) {
      read.completion.completeExceptionally(
          new IOException("the threads that read " + reader + " have been stopped", e));
    }
    return read;
  }

  @Override
  public void run() {
    if (!begun.compareAndSet(false, true)) {
      return;
    }
    try {
      reader.readAll(ranges);
      completion.complete(null);
    } catch (IOException | RuntimeException | Error e) {
      completion.completeExceptionally(e);
    }
  }

  @Override
  public CompletableFuture<Void> completion() {
    return completion;
  }

  @Override
  public boolean hasBegun() {
    return begun.get();
  }

  @Override
  public void cancel() {
    if (begun.compareAndSet(false, true)) {
      completion.completeExceptionally(
          new CancellationException("a read of " + reader + " was cancelled"));
    }
  }
}
