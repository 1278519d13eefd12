package io.ariadne.io.gds;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.io.PendingRead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A read whose parts run on several threads. It completes when all parts have ended. The first
 * failure keeps parts from beginning. Thread-safe.
 */
final class ParallelRead implements PendingRead {
  private final Object file;
  private final CompletableFuture<Void> completion = new CompletableFuture<>();
  private final List<Part> parts = new ArrayList<>();
  private final List<PendingRead> others = new ArrayList<>();
  private volatile boolean isStopped;

  /** Parts that have not ended, and one while parts are being added. */
  @GuardedBy("this")
  private int open = 1;

  @GuardedBy("this")
  private Throwable failure;

  /** Creates a read without parts. */
  ParallelRead(Object file) {
    this.file = file;
  }

  /** What a part does. */
  @FunctionalInterface
  interface Work {
    /**
     * Reads; returns when nothing is written to the targets any more.
     *
     * @param isStopped whether to end early, with a {@link CancellationException}
     */
    void run(BooleanSupplier isStopped) throws IOException;
  }

  /** A part that a thread runs. */
  private final class Part implements Runnable {
    private final Work work;
    private final AtomicBoolean begun = new AtomicBoolean();

    Part(Work work) {
      this.work = work;
    }

    @Override
    public void run() {
      if (!begun.compareAndSet(false, true)) {
        return;
      }
      if (isStopped) {
        ended(cancellation());
        return;
      }
      try {
        work.run(() -> isStopped);
        ended(null);
      } catch (IOException | RuntimeException | Error e) {
        ended(e);
      }
    }

    void skip() {
      if (begun.compareAndSet(false, true)) {
        ended(cancellation());
      }
    }
  }

  /** Adds a part; the threads get it in {@link #start}. */
  void add(Work work) {
    beginPart();
    parts.add(new Part(work));
  }

  /** Adds a read that has been started elsewhere. */
  void add(PendingRead other) {
    beginPart();
    others.add(other);
  }

  private synchronized void beginPart() {
    open++;
  }

  /** Starts the parts; none are added afterwards. */
  void start(Executor threads) {
    for (PendingRead other : others) {
      var unused = other.completion().whenComplete((nothing, thrown) -> ended(unwrapped(thrown)));
    }
    for (Part part : parts) {
      try {
        threads.execute(part);
      } catch (RejectedExecutionException e) {
        if (part.begun.compareAndSet(false, true)) {
          ended(new IOException("the threads that read " + file + " have been stopped", e));
        }
      }
    }
    ended(null);
  }

  private static Throwable unwrapped(Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  private CancellationException cancellation() {
    return new CancellationException("a read of " + file + " was cancelled");
  }

  private void ended(Throwable thrown) {
    boolean isLast;
    boolean isFirstFailure;
    synchronized (this) {
      open--;
      isLast = open == 0;
      isFirstFailure = thrown != null && failure == null;
      // Parts that were stopped because of a failure say less than the failure.
      if (thrown != null && (failure == null || failure instanceof CancellationException)) {
        failure = thrown;
      }
    }
    if (isFirstFailure) {
      stop();
    }
    if (isLast) {
      complete();
    }
  }

  private void complete() {
    Throwable thrown;
    synchronized (this) {
      thrown = failure;
    }
    if (thrown == null) {
      completion.complete(null);
    } else {
      completion.completeExceptionally(thrown);
    }
  }

  private void stop() {
    isStopped = true;
    parts.forEach(Part::skip);
    others.forEach(PendingRead::cancel);
  }

  @Override
  public CompletableFuture<Void> completion() {
    return completion;
  }

  @Override
  public void cancel() {
    stop();
  }
}
