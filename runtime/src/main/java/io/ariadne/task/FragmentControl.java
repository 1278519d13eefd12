package io.ariadne.task;

import io.ariadne.compute.ComputeExecutor;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkOwner;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.watch.Watched;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The lock of a fragment, its tasks, and whether it was stopped and why.
 *
 * <p>Lock order: the fragment's lock, then the executor's. Operators and inputs are never called
 * under the lock, and of the environment only its queries.
 */
final class FragmentControl implements Watched {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ComputeExecutor executor;
  private final ComputeExecutor preload;
  private final TaskEnvironment environment;
  private final Object query;
  private final int partition;
  private final Map<Integer, NodeMetrics> metrics;
  private final long startNanos = System.nanoTime();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<FragmentTask> running = new LinkedHashSet<>();
  private Supplier<String> diagnosis = () -> "";
  private long version;
  private int queued;
  private int parked;

  /** Threads that wait for the fragment to get on. */
  private int awaited;

  private volatile boolean stopped;
  private final FragmentFailure failure;
  private final Pump pump = new Pump();

  /**
   * Creates the control of a fragment that has not begun.
   *
   * @param settings where it runs
   * @param environment surroundings of its task
   * @param metrics figures by plan node, complete before work begins
   */
  FragmentControl(
      FragmentSettings settings, TaskEnvironment environment, Map<Integer, NodeMetrics> metrics) {
    this.executor = settings.executor();
    this.preload = settings.shared().preload();
    this.environment = environment;
    this.query = environment.query();
    this.partition = environment.partition();
    this.metrics = metrics;
    this.failure = new FragmentFailure(environment);
  }

  @Override
  public String description() {
    return environment.description();
  }

  @Override
  public long startNanos() {
    return startNanos;
  }

  @Override
  public long progress() {
    lock.lock();
    try {
      return version;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isAwaited() {
    lock.lock();
    try {
      return awaited > 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String diagnosis() {
    lock.lock();
    try {
      return diagnosis.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void enter() {
    environment.enter();
  }

  @Override
  public void exit() {
    environment.exit();
  }

  @Override
  public void waited(int node, WaitKind kind, long nanos) {
    add(node, NodeMetrics.WAIT_NANOS, nanos);
  }

  @Override
  public void spilled(int node, long bytes, long nanos) {
    add(node, NodeMetrics.SPILL_BYTES, bytes);
    add(node, NodeMetrics.SPILL_NANOS, nanos);
  }

  @Override
  public void readBack(int node, long bytes, long nanos) {
    add(node, NodeMetrics.SPILL_NANOS, nanos);
  }

  private void add(int node, String figure, long value) {
    NodeMetrics figures = metrics.get(node);
    if (figures != null) {
      figures.extra(figure).add(value);
    }
  }

  /** Sets who describes the whole fragment; called under the lock. */
  void setDiagnosis(Supplier<String> diagnosis) {
    this.diagnosis = diagnosis;
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Returns whether the fragment was cancelled or has failed; without the lock too. */
  @Override
  public boolean isStopped() {
    return stopped;
  }

  ComputeExecutor executor() {
    return executor;
  }

  /** Returns the threads that read batches back. */
  ComputeExecutor preload() {
    return preload;
  }

  /** Returns which query the fragment is part of. */
  Object query() {
    return query;
  }

  /** Returns which partition of its query's data the fragment works on. */
  int partition() {
    return partition;
  }

  ErrorReplay errorReplay() {
    return environment.errorReplay();
  }

  /** Queues a task unless the fragment is stopped, under the lock. */
  void submit(FragmentTask task) {
    if (!stopped) {
      queued++;
      task.executor().submit(task);
    }
  }

  /** Tells whoever waits that something has changed, under the lock. */
  void signal() {
    version++;
    changed.signalAll();
  }

  /** Returns a number that every {@link #signal} changes, under the lock. */
  long version() {
    return version;
  }

  /**
   * Runs a task's work on the calling thread, its surroundings set, and records what became of it.
   */
  void run(FragmentTask task) {
    try {
      pollEnvironment();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    if (!begin(task)) {
      return;
    }
    CompletableFuture<Void> wait = null;
    Throwable problem = null;
    ThreadRecord thread = ThreadRecord.current();
    WorkOwner before = thread.workFor(this);
    long start = System.nanoTime();
    try {
      wait = inEnvironment(task);
    } catch (Throwable t) {
      problem = t;
    } finally {
      thread.ended(EventKind.TASK, start, 0, null, null);
      thread.workFor(before);
    }
    end(task, wait, problem);
  }

  /** Stops the fragment because of a failure; the first one is delivered, later ones suppressed. */
  void fail(Throwable problem) {
    lock.lock();
    try {
      failure.add(problem, stopped);
      stop();
    } finally {
      lock.unlock();
    }
  }

  /** Returns a failure as the task is to see it, with who asked when memory has run out. */
  Throwable describe(Throwable problem, String asker) {
    return MemoryShortage.describe(problem, asker, environment);
  }

  /** Stops the fragment without a failure. */
  void cancel() {
    lock.lock();
    try {
      stop();
    } finally {
      lock.unlock();
    }
  }

  /** Cancels the fragment if its task was killed. */
  void pollEnvironment() {
    if (!stopped && environment.isCancelled()) {
      cancel();
    }
  }

  /** Throws what stopped the fragment, if anything has; a failure once. */
  void checkNotStopped() {
    if (!stopped) {
      return;
    }
    lock.lock();
    try {
      throw failure.toThrow();
    } finally {
      lock.unlock();
    }
  }

  /** Notes which thread pumps from now on. */
  void enterPump() {
    lock.lock();
    try {
      pump.enter();
    } finally {
      lock.unlock();
    }
  }

  /** Notes what the pumping thread does from now on, for diagnosis. */
  void pumpDoes(String what) {
    pump.does(what);
  }

  /** Notes that no thread pumps any more. */
  void exitPump() {
    lock.lock();
    try {
      pump.exit();
      signal();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the calling thread is inside the pump, under the lock. */
  boolean isPumping() {
    return pump.isCurrentThread();
  }

  /** Returns whether the task is there for what the fragment yields; without the lock. */
  boolean isNearPump() {
    return pump.isNear();
  }

  /** Returns whether the calling thread runs one of the fragment's tasks, under the lock. */
  boolean isInTask() {
    return running.stream().anyMatch(task -> task.thread() == Thread.currentThread());
  }

  /**
   * Waits on the pump's thread until something changes, the time is over, the fragment is stopped
   * or the thread is interrupted, which cancels it.
   *
   * @param seen the {@link #version} before the pump looked for something to do in vain
   * @param nanos how long to wait at most
   */
  void awaitChange(long seen, long nanos) {
    Wait wait = ThreadRecord.current().await(WaitKind.OUTPUT, "the fragment's output", 0, null);
    lock.lock();
    try {
      long start = System.nanoTime();
      awaited++;
      pumpDoes("waits for running work");
      for (long left = nanos; version == seen && !stopped && left > 0; ) {
        if (queued == 0 && running.isEmpty() && parked == 0) {
          String text = "nothing is left that could go on:\n" + diagnosis.get();
          fail(new EngineException(ErrorCode.INTERNAL, text));
          break;
        }
        changed.awaitNanos(Math.min(left, POLL_NANOS));
        left = nanos - (System.nanoTime() - start);
        if (environment.isCancelled()) {
          stop();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    } finally {
      awaited--;
      lock.unlock();
      wait.close();
    }
  }

  /** Waits on the pump's thread for a time, or until the fragment is stopped. */
  void awaitMillis(long millis) {
    pollEnvironment();
    Wait wait = ThreadRecord.current().await(WaitKind.MEMORY, "memory for output", 0, null);
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (left > 0 && !stopped) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    } finally {
      lock.unlock();
      wait.close();
    }
  }

  /** Waits, under the lock, until no task runs and no thread pumps, interrupts notwithstanding. */
  void awaitQuiet() {
    if (running.isEmpty() && !pump.isInside()) {
      return;
    }
    boolean interrupted = false;
    Wait wait = ThreadRecord.current().await(WaitKind.OUTPUT, "the end of running work", 0, null);
    awaited++;
    while (!running.isEmpty() || pump.isInside()) {
      try {
        changed.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    awaited--;
    wait.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits, under the lock, until a condition holds that every signal may change. */
  void awaitUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      changed.awaitUninterruptibly();
    }
  }

  /** Describes tasks and state, under the lock. */
  String describe() {
    StringBuilder text = new StringBuilder();
    text.append(environment.description()).append(": ");
    text.append(stopped ? failure.toString() : "running");
    text.append("; ").append(pump);
    text.append("; ").append(queued).append(" tasks queued, ").append(parked).append(" parked, ");
    text.append(running.size()).append(" running\n");
    running.forEach(task -> text.append("  ").append(task.describe()).append('\n'));
    text.append("  executor ").append(executor.describe()).append('\n');
    return text.toString();
  }

  @Override
  public String toString() {
    return environment.description();
  }

  private boolean begin(FragmentTask task) {
    lock.lock();
    try {
      if (stopped) {
        return false;
      }
      queued--;
      // The pump that helps waits for the fragment's output like one that does not.
      awaited += pump.isCurrentThread() ? 1 : 0;
      running.add(task);
      task.started();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Void> inEnvironment(FragmentTask task) {
    if (pump.isCurrentThread()) {
      return task.work();
    }
    environment.enter();
    try {
      return task.work();
    } finally {
      environment.exit();
    }
  }

  private void end(FragmentTask task, CompletableFuture<Void> wait, Throwable problem) {
    boolean park = false;
    lock.lock();
    try {
      awaited -= pump.isCurrentThread() ? 1 : 0;
      running.remove(task);
      if (problem != null) {
        failIn(task, problem);
      }
      if (stopped || problem != null) {
        task.abandon();
      } else if (wait == null) {
        task.finished();
      } else if (wait.isDone() && !wait.isCompletedExceptionally()) {
        submit(task);
      } else {
        parked++;
        park = true;
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      signal();
      lock.unlock();
    }
    if (park) {
      CompletableFuture<Void> unused = wait.whenComplete((nothing, failed) -> unpark(task, failed));
    }
  }

  /** Lets a task of a running fragment decide what its failure means. */
  private void failIn(FragmentTask task, Throwable thrown) {
    Throwable problem = describe(thrown, task.asker());
    if (stopped) {
      fail(problem);
    } else {
      task.failed(problem);
      signal();
    }
  }

  private void unpark(FragmentTask task, Throwable problem) {
    lock.lock();
    try {
      parked--;
      if (problem != null) {
        failIn(task, unwrapped(problem));
      } else if (!stopped) {
        submit(task);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      // the pump may run it before a compute thread has woken up
      signal();
      lock.unlock();
    }
  }

  /** Returns what made a future fail: one that depends on others wraps what they failed with. */
  private static Throwable unwrapped(Throwable problem) {
    Throwable inner = problem;
    while (inner instanceof CompletionException && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  private void stop() {
    if (!stopped) {
      stopped = true;
      queued -= executor.withdraw(this) + preload.withdraw(this);
      ThreadRecord.endWaitsOf(this);
      signal();
    }
  }
}
