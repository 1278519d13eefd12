package io.ariadne.io.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Reads the missing parts of ranges from the storage and at the same time the cached ones from a
 * disk. Cached parts that turn out to be unreadable are then read from the storage.
 */
final class CachedRead implements PendingRead {
  private final CachedReader reader;
  private final ByteRangeReader storage;
  private final Executor threads;
  private final CompletableFuture<Void> completion = new CompletableFuture<>();

  @GuardedBy("this")
  private final List<PendingRead> remote = new ArrayList<>();

  @GuardedBy("this")
  private Throwable failure;

  @GuardedBy("this")
  private boolean cancelled;

  /** Parts of the read that have not ended, and 1 until all have been started. */
  @GuardedBy("this")
  private int unended = 1;

  private CachedRead(CachedReader reader, ByteRangeReader storage, Executor threads) {
    this.reader = reader;
    this.storage = storage;
    this.threads = threads;
  }

  /**
   * Starts a read.
   *
   * @param reader knows what is cached
   * @param storage reads the rest
   * @param ranges what to read
   * @param threads threads that may block
   */
  static PendingRead start(
      CachedReader reader, ByteRangeReader storage, List<ByteRange> ranges, Executor threads) {
    CachedRead read = new CachedRead(reader, storage, threads);
    ReadPlan plan = reader.plan(ranges);
    List<ByteRange> missing = plan == null ? ranges : plan.missing();
    List<ReadPlan.Hit> hits = plan == null ? List.of() : plan.hits();
    if (!missing.isEmpty()) {
      read.startRemote(missing);
    }
    if (!hits.isEmpty()) {
      read.startHits(plan, hits);
    } else if (plan != null) {
      reader.counted(plan);
    }
    read.ended(null);
    return read;
  }

  private void startRemote(List<ByteRange> ranges) {
    begin();
    PendingRead started;
    try {
      started = storage.start(ranges, threads);
    } catch (RuntimeException | Error e) {
      ended(e);
      return;
    }
    boolean isCancelled;
    synchronized (this) {
      remote.add(started);
      isCancelled = cancelled;
    }
    if (isCancelled) {
      started.cancel();
    }
    CompletableFuture<Void> unused =
        started
            .completion()
            .whenComplete((nothing, thrown) -> ended(thrown == null ? arrived(ranges) : thrown));
  }

  /** Stores bytes that have arrived; returns what is wrong with them, or null. */
  private Throwable arrived(List<ByteRange> ranges) {
    try {
      reader.arrivedIfCacheable(ranges);
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }

  private void startHits(ReadPlan plan, List<ReadPlan.Hit> hits) {
    begin();
    try {
      threads.execute(() -> ended(readHits(plan, hits)));
    } catch (RejectedExecutionException e) {
      ended(new IOException("the threads that read " + reader + " have been stopped", e));
    } catch (RuntimeException | Error e) {
      ended(e); // the remote part may be under way: only the completion may say that all has ended
    }
  }

  private Throwable readHits(ReadPlan plan, List<ReadPlan.Hit> hits) {
    try {
      Set<ReadPlan.Hit> failed = new HashSet<>();
      for (ReadPlan.Hit hit : hits) {
        if (isCancelled()) {
          return null;
        }
        failed.addAll(reader.readHits(List.of(hit)));
      }
      plan.failed(failed);
      reader.counted(plan);
      if (!failed.isEmpty()) {
        startRemote(failed.stream().map(ReadPlan.Hit::asRange).toList());
      }
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  private synchronized boolean isCancelled() {
    return cancelled;
  }

  private synchronized void begin() {
    unended++;
  }

  /** Notes that a part has ended. */
  private void ended(Throwable thrown) {
    Throwable result;
    synchronized (this) {
      failure = failure == null ? thrown : failure;
      unended--;
      if (unended > 0) {
        return;
      }
      result =
          failure == null && cancelled
              ? new CancellationException("a read of " + reader + " was cancelled")
              : failure;
    }
    if (result == null) {
      completion.complete(null);
    } else {
      completion.completeExceptionally(result);
    }
  }

  @Override
  public CompletableFuture<Void> completion() {
    return completion;
  }

  @Override
  public void cancel() {
    List<PendingRead> started;
    synchronized (this) {
      cancelled = true;
      started = List.copyOf(remote);
    }
    started.forEach(PendingRead::cancel);
  }
}
