package io.ariadne.fragment.control;

import io.ariadne.compute.ComputeExecutor;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.MemoryUse;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.metrics.FragmentMetrics;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.watch.Watched;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The lock of a fragment, its tasks, and whether it was stopped and why.
 *
 * <p>Lock order: the fragment's lock, then the executor's. Operators and inputs are never called
 * under the lock, and of the environment only its queries.
 */
public final class FragmentControl implements Watched {
  private final ComputeExecutor executor;
  private final ComputeExecutor preload;
  private final TaskEnvironment environment;
  private final Object query;
  private final int partition;
  private final Map<Integer, NodeMetrics> metrics;
  private final FragmentMetrics totals;
  private final long startNanos = System.nanoTime();
  private final FragmentMonitor monitor = new FragmentMonitor();
  private final FragmentWorkItems tasks;
  private Supplier<String> diagnosis = () -> "";
  private volatile boolean stopped;
  private final FragmentFailure failure;
  private final TaskThread taskThread = new TaskThread();

  /**
   * Creates the control of a fragment that has not begun.
   *
   * @param settings where it runs
   * @param environment surroundings of its task
   * @param metrics figures by plan node, complete before work begins
   * @param totals figures of the whole fragment
   */
  public FragmentControl(
      FragmentSettings settings,
      TaskEnvironment environment,
      Map<Integer, NodeMetrics> metrics,
      FragmentMetrics totals) {
    this.executor = settings.executor();
    this.preload = settings.shared().preload();
    this.environment = environment;
    this.query = environment.query();
    this.partition = environment.partition();
    this.metrics = metrics;
    this.totals = totals;
    this.failure = new FragmentFailure(environment);
    this.tasks = new FragmentWorkItems(this, monitor, taskThread, environment);
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
    monitor.lock();
    try {
      return monitor.version();
    } finally {
      monitor.unlock();
    }
  }

  @Override
  public boolean isAwaited() {
    monitor.lock();
    try {
      return monitor.isAwaited();
    } finally {
      monitor.unlock();
    }
  }

  @Override
  public String diagnosis() {
    monitor.lock();
    try {
      return diagnosis.get();
    } finally {
      monitor.unlock();
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
    // What a device works on is part of the operator's own time.
    if (kind != WaitKind.DEVICE) {
      add(node, NodeMetrics.WAIT_NANOS, nanos);
    }
  }

  @Override
  public MemoryUse memoryUse(int node) {
    NodeMetrics figures = metrics.get(node);
    return figures == null ? totals.memory() : figures.memory();
  }

  @Override
  public void spilled(int node, long bytes, long diskBytes, long nanos) {
    if (diskBytes > 0) {
      totals.addSpilled(bytes, diskBytes);
    }
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
  public void setDiagnosis(Supplier<String> diagnosis) {
    this.diagnosis = diagnosis;
  }

  public void lock() {
    monitor.lock();
  }

  public void unlock() {
    monitor.unlock();
  }

  /** Returns whether the fragment was cancelled or has failed; without the lock too. */
  @Override
  public boolean isStopped() {
    return stopped;
  }

  public ComputeExecutor executor() {
    return executor;
  }

  /** Returns the threads that read batches back. */
  public ComputeExecutor preload() {
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

  public ErrorReplay errorReplay() {
    return environment.errorReplay();
  }

  /** Queues a task unless the fragment is stopped, under the lock. */
  public void submit(FragmentWork task) {
    tasks.submit(task);
  }

  /** Tells whoever waits that something has changed, under the lock. */
  public void signal() {
    monitor.signal();
  }

  /** Returns a number that every {@link #signal} changes, under the lock. */
  public long version() {
    return monitor.version();
  }

  /**
   * Runs a task's work on the calling thread, its surroundings set, and records what became of it.
   * What fails before and behind the work fails the fragment: the thread is not the task's.
   */
  void run(FragmentWork task) {
    try {
      pollEnvironment();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    try {
      tasks.run(task);
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** Stops the fragment because of a failure; the first one is delivered, later ones suppressed. */
  public void fail(Throwable problem) {
    monitor.lock();
    try {
      failure.add(problem, stopped);
      stop();
    } finally {
      monitor.unlock();
    }
  }

  /** Returns a failure as the task is to see it, with who asked when memory has run out. */
  public Throwable describe(Throwable problem, String asker) {
    return OutOfMemoryReport.describe(problem, asker, environment);
  }

  /** Stops the fragment without a failure. */
  public void cancel() {
    monitor.lock();
    try {
      stop();
    } finally {
      monitor.unlock();
    }
  }

  /** Cancels the fragment if its task was killed. */
  public void pollEnvironment() {
    if (!stopped && environment.isCancelled()) {
      cancel();
    }
  }

  /** Throws what stopped the fragment, if anything has; a failure once. */
  public void checkNotStopped() {
    if (!stopped) {
      return;
    }
    monitor.lock();
    try {
      throw failure.toThrow();
    } finally {
      monitor.unlock();
    }
  }

  /** Notes which thread pumps from now on. */
  public void enterTaskThread() {
    monitor.lock();
    try {
      taskThread.enter();
    } finally {
      monitor.unlock();
    }
  }

  /** Notes what the pumping thread does from now on, for diagnosis. */
  public void pumpDoes(String what) {
    taskThread.does(what);
  }

  /** Notes that no thread pumps any more. */
  public void exitTaskThread() {
    monitor.lock();
    try {
      taskThread.exit();
      signal();
    } finally {
      monitor.unlock();
    }
  }

  /** Returns whether the calling thread is inside the pump, under the lock. */
  public boolean isOnTaskThread() {
    return taskThread.isCurrentThread();
  }

  /** Returns whether the task is there for what the fragment yields; without the lock. */
  public boolean isNearTaskThread() {
    return taskThread.isNear();
  }

  /** Returns whether the calling thread runs one of the fragment's tasks, under the lock. */
  public boolean isInTask() {
    return tasks.isInTask();
  }

  /**
   * Waits on the pump's thread until something changes, the time is over, the fragment is stopped
   * or the thread is interrupted, which cancels it.
   *
   * @param seen the {@link #version} before the pump looked for something to do in vain
   * @param nanos how long to wait at most
   */
  public void awaitChange(long seen, long nanos) {
    Wait wait = ThreadRecord.current().await(WaitKind.OUTPUT, "the fragment's output", 0, null);
    monitor.lock();
    try {
      pumpDoes("waits for running work");
      monitor.awaitChange(seen, nanos, this::isOutputToCome);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    } finally {
      monitor.unlock();
      wait.close();
    }
  }

  /** Returns, under the lock, whether the fragment goes on, which must have tasks for that. */
  private boolean isOutputToCome() {
    if (environment.isCancelled()) {
      stop();
    }
    if (!stopped && tasks.isEmpty()) {
      String text = "nothing is left that could go on:\n" + diagnosis.get();
      fail(new EngineException(ErrorCode.INTERNAL, text));
    }
    return !stopped;
  }

  /** Waits on the pump's thread for a time, or until the fragment is stopped. */
  public void awaitMillis(long millis) {
    pollEnvironment();
    Wait wait = ThreadRecord.current().await(WaitKind.MEMORY, "memory for output", 0, null);
    monitor.lock();
    try {
      monitor.awaitNanos(TimeUnit.MILLISECONDS.toNanos(millis), () -> !stopped);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    } finally {
      monitor.unlock();
      wait.close();
    }
  }

  /** Waits, under the lock, until no task runs and no thread pumps, interrupts notwithstanding. */
  public void awaitQuiet() {
    if (isQuiet()) {
      return;
    }
    Wait wait = ThreadRecord.current().await(WaitKind.OUTPUT, "the end of running work", 0, null);
    monitor.awaitEnd(this::isQuiet);
    wait.close();
  }

  private boolean isQuiet() {
    return !tasks.isRunning() && !taskThread.isInside();
  }

  /** Waits, under the lock, until a condition holds that every signal may change. */
  public void awaitUntil(BooleanSupplier condition) {
    monitor.awaitUntil(condition);
  }

  /** Describes tasks and state, under the lock. */
  public String describe() {
    String state = stopped ? failure.toString() : "running";
    String where = "  executor " + executor.describe() + '\n';
    return environment.description() + ": " + state + "; " + taskThread + "; " + tasks + where;
  }

  @Override
  public String toString() {
    return environment.description();
  }

  private void stop() {
    if (!stopped) {
      stopped = true;
      tasks.withdraw(executor, preload);
      ThreadRecord.endWaitsOf(this);
      signal();
    }
  }
}
