package io.ariadne.fragment;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.event.ThreadRecords;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Failures, delays and waits for fragments under test. */
public final class FragmentTestFailures {
  private FragmentTestFailures() {}

  /** Waits, interrupts notwithstanding. */
  public static void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the latch did not open");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits for as many threads as the barrier wants; fails if fewer come. */
  static void await(CyclicBarrier barrier) {
    try {
      barrier.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("not all threads came", e);
    }
  }

  /** Waits until a thread of the process waits, registered with the watchdog, for something. */
  static void awaitWait(String description) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (ThreadRecords.waits().stream()
        .noneMatch(each -> each.toString().contains(description))) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("no thread waits for " + description);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Does something on another thread after a while. */
  static Thread later(long millis, Runnable action) {
    Thread thread =
        new Thread(
            () -> {
              pause(millis);
              action.run();
            });
    thread.start();
    return thread;
  }

  /** Waits for a thread's end; an interrupt is kept for later. */
  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Replaces a batch by one with as many rows in device memory, which no back end can read. */
  static RecordBatch onDevice(RecordBatch batch) {
    try (batch) {
      MemoryBuffer data = new MemoryBuffer(4096, 64, 64, MemoryTier.DEVICE, freed -> {});
      ColumnVector column =
          ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, batch.rowCount(), data, null);
      return new RecordBatch(
          LongBatches.SCHEMA, batch.rowCount(), List.of(column), batch.sequence());
    }
  }

  @SuppressWarnings("unchecked")
  static <T extends Throwable> T unchecked(Throwable throwable) throws T {
    throw (T) throwable;
  }

  /** Blocks after each input: for a time, or for ever. */
  static final class Blocking extends TestingOperator {
    private final Long millis;
    private CompletableFuture<Void> blocked = NOT_BLOCKED;

    Blocking(OperatorContext context, Long millis) {
      super(context, values -> new long[][] {values});
      this.millis = millis;
    }

    @Override
    protected void onInput(long[] values) {
      blocked = new CompletableFuture<>();
      if (millis != null) {
        blocked.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
      }
    }

    @Override
    public CompletableFuture<Void> isBlocked() {
      return blocked;
    }
  }

  /** Passes some rows through and then finishes. */
  static final class Limit extends TestingOperator {
    private final AtomicInteger left;
    private final CountDownLatch reached;

    /** Creates a limit that opens a latch when it has its rows. */
    Limit(OperatorContext context, int rows, CountDownLatch reached) {
      this(context, new AtomicInteger(rows), reached);
    }

    private Limit(OperatorContext context, AtomicInteger left, CountDownLatch reached) {
      super(context, values -> new long[][] {take(values, left)});
      this.left = left;
      this.reached = reached;
    }

    private static long[] take(long[] values, AtomicInteger left) {
      int taken = Math.min(values.length, left.get());
      left.addAndGet(-taken);
      return Arrays.copyOf(values, taken);
    }

    @Override
    public boolean needsInput() {
      return left.get() > 0 && super.needsInput();
    }

    @Override
    public boolean isFinished() {
      if (left.get() == 0) {
        finish();
        reached.countDown();
      }
      return super.isFinished();
    }
  }

  /** A sink that fails in the n-th call of isFinished. */
  static final class FailingSink implements SinkOperator {
    private final TestingSink sink;
    private int questions;

    FailingSink(OperatorContext context, int questions) {
      this.sink = new TestingSink(context, 10);
      this.questions = questions;
    }

    @Override
    public Schema outputSchema() {
      return sink.outputSchema();
    }

    @Override
    public SinkState newLocal() {
      return sink.newLocal();
    }

    @Override
    public void combine(SinkState local) {
      sink.combine(local);
    }

    @Override
    public void finish() {
      sink.finish();
    }

    @Override
    public RecordBatch getOutput() {
      return sink.getOutput();
    }

    @Override
    public boolean isFinished() {
      if (--questions == 0) {
        throw new UnsupportedOperationException("planned");
      }
      return sink.isFinished();
    }

    @Override
    public void close() {
      sink.close();
    }
  }

  /** Counts the threads that have entered it. */
  static class Environment implements TaskEnvironment {
    private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);
    private final AtomicInteger depth = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicBoolean killed;

    Environment(AtomicBoolean killed) {
      this.killed = killed;
    }

    int depth() {
      return depth.get();
    }

    int entered() {
      return entered.get();
    }

    boolean isEntered() {
      return inside.get();
    }

    @Override
    public void enter() {
      if (inside.get()) {
        throw new IllegalStateException("entered twice");
      }
      inside.set(true);
      depth.incrementAndGet();
      entered.incrementAndGet();
    }

    @Override
    public void exit() {
      inside.remove();
      depth.decrementAndGet();
    }

    @Override
    public boolean isCancelled() {
      return killed.get();
    }

    @Override
    public String description() {
      return "test task";
    }
  }
}
