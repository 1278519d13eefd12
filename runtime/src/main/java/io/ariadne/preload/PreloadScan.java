package io.ariadne.preload;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WorkOwner;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PrefetchedRanges;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.io.RequestPlanner;
import io.ariadne.io.WantedRange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** The reads of one scan. Its list of ranges has the executor's lock. */
final class PreloadScan implements ReadAheadScan {
  private final PreloadExecutor executor;
  private final String name;
  private final WorkOwner owner;
  private final LongAdder aheadBytes;
  private final LongAdder lateBytes;
  private final LongAdder wastedBytes;
  private final LongAdder waitNanos;

  /** The open ranges, in the order of their use. */
  private final List<PreloadedRanges> ranges = new ArrayList<>();

  private volatile boolean isClosed;

  /**
   * Creates a scan without reads.
   *
   * @param owner the fragment that the scan belongs to; null for none
   */
  PreloadScan(
      PreloadExecutor executor,
      String name,
      WorkOwner owner,
      Function<String, LongAdder> counters) {
    this.executor = executor;
    this.name = name;
    this.owner = owner;
    this.aheadBytes = counters.apply(AHEAD_BYTES);
    this.lateBytes = counters.apply(LATE_BYTES);
    this.wastedBytes = counters.apply(WASTED_BYTES);
    this.waitNanos = counters.apply(WAIT_NANOS);
  }

  @Override
  public <T> CompletableFuture<T> prepare(Callable<T> step, long bytes) {
    CompletableFuture<T> result = new CompletableFuture<>();
    executor.countSteps(bytes);
    try {
      executor.threads().execute(() -> run(step, bytes, result));
    } catch (RejectedExecutionException e) {
      executor.countSteps(-bytes);
      result.completeExceptionally(cancelled());
    }
    return result;
  }

  private CancellationException cancelled() {
    return new CancellationException(name + " is closed");
  }

  /** Runs a step; its bytes are no longer counted before its result is known. */
  private <T> void run(Callable<T> step, long bytes, CompletableFuture<T> result) {
    if (isClosed) {
      executor.countSteps(-bytes);
      result.completeExceptionally(cancelled());
      return;
    }
    ThreadRecord thread = ThreadRecord.current();
    WorkOwner before = thread.workFor(owner);
    try {
      result.complete(call(step, bytes));
    } catch (Throwable t) {
      result.completeExceptionally(t); // the scan gets it in the place of the result
    } finally {
      thread.workFor(before);
    }
  }

  private <T> T call(Callable<T> step, long bytes) throws Exception {
    try {
      enter();
      try {
        return step.call();
      } finally {
        exit();
      }
    } finally {
      executor.countSteps(-bytes);
    }
  }

  private void enter() {
    if (owner != null) {
      owner.enter();
    }
  }

  private void exit() {
    if (owner != null) {
      owner.exit();
    }
  }

  @Override
  public boolean mayPrepare(int ahead, long bytes) {
    return executor.mayPrepare(ahead, bytes);
  }

  @Override
  public BufferAllocator memoryOfSteps(BufferAllocator source) {
    return new StepMemory(source, executor::countSteps);
  }

  @Override
  public PrefetchedRanges read(
      ByteRangeReader file,
      List<WantedRange> wanted,
      long place,
      boolean isCertain,
      Runnable release) {
    List<WantedRange> plan =
        RequestPlanner.plan(
            wanted, executor.sizes().maxGap(file), executor.maxRequestBytes(file, wanted));
    PreloadedRanges made =
        new PreloadedRanges(executor, this, file, wanted, plan, place, isCertain, release);
    executor.lock().lock();
    try {
      int index = ranges.size();
      while (index > 0 && ranges.get(index - 1).place() > place) {
        index--;
      }
      ranges.add(index, made);
      made.queue();
    } finally {
      executor.lock().unlock();
    }
    executor.wake();
    return made;
  }

  /** Returns the open ranges, under the lock. */
  List<PreloadedRanges> ranges() {
    return ranges;
  }

  /** Removes closed ranges, under the lock. */
  void remove(PreloadedRanges closed) {
    ranges.remove(closed);
    if (isClosed && ranges.isEmpty()) {
      executor.queue().remove(this);
    }
  }

  void countNeeded(RangeRequest request) {
    boolean isThere = request.state == RangeRequest.State.ARRIVED;
    (isThere ? aheadBytes : lateBytes).add(request.unusedBytes);
  }

  void countWasted(long bytes) {
    wastedBytes.add(bytes);
  }

  void countWait(long nanos) {
    waitNanos.add(nanos);
  }

  @Override
  public void close() {
    executor.lock().lock();
    try {
      isClosed = true;
      if (ranges.isEmpty()) {
        executor.queue().remove(this);
      }
    } finally {
      executor.lock().unlock();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
