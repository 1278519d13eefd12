package io.ariadne.io.s3;

import io.ariadne.io.PendingRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A read of ranges of an object: it ends when its parts have ended. Thread-safe. */
final class ObjectRead implements PendingRead {
  private final S3Object object;
  private final List<PartRead> parts = new ArrayList<>();
  private final AtomicInteger open;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CompletableFuture<Void> completion = new CompletableFuture<>();

  ObjectRead(S3Object object, List<PartPlan.Part> parts) {
    this.object = object;
    this.open = new AtomicInteger(parts.size());
    for (PartPlan.Part part : parts) {
      this.parts.add(new PartRead(object, part, this));
    }
  }

  /** Starts all parts. Called once. */
  void start() {
    if (parts.isEmpty()) {
      completion.complete(null);
    }
    try {
      parts.forEach(PartRead::start);
    } catch (RuntimeException | OutOfMemoryError e) {
      fail(e); // No thread can be started.
    }
  }

  /** A part fails: the others are stopped. */
  void fail(Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      parts.forEach(PartRead::stop);
    }
  }

  /** A part has ended and writes nothing any more. Called once per part. */
  void partEnded() {
    if (open.decrementAndGet() > 0) {
      return;
    }
    Throwable cause = failure.get();
    if (cause == null) {
      completion.complete(null);
    } else {
      completion.completeExceptionally(cause);
    }
  }

  @Override
  public CompletableFuture<Void> completion() {
    return completion;
  }

  @Override
  public void cancel() {
    if (!completion.isDone()) {
      fail(new CancellationException("a read of " + object + " was cancelled"));
    }
  }
}
