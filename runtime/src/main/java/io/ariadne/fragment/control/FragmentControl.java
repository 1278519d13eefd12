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
 * The state that all work of one fragment shares: its lock, its work items, and whether and why it
 * was stopped.
 *
 * <p><b>Locking.</b> A fragment has one lock, {@link #lock()}. It guards the state of this package,
 * of {@link io.ariadne.fragment.PipelinedFragment} and of the classes of package {@code pipeline};
 * methods that need it say "under the lock". The lock order is: the fragment's lock, then the
 * executor's. No operator or input is called under the lock, and of the {@link TaskEnvironment}
 * only its queries. The lock lives in another object than the fields it guards, so Error Prone
 * cannot check them: they carry no {@code @GuardedBy}.
 */
public final class FragmentControl implements Watched {
  private final ComputeExecutor executor;
  private final ComputeExecutor preload;
  private final TaskEnvironment environment;
  private final Object query;
  private final long taskRank;
  private final Map<Integer, NodeMetrics> metrics;
  private final FragmentMetrics totals;
  private final long startNanos = System.nanoTime();
  private final FragmentMonitor monitor = new FragmentMonitor();
  private final FragmentWorkItems workItems;
  private Supplier<String> diagnosis = () -> "";
  private volatile boolean stopped;
  private final FragmentFailure failure;
  private final TaskThread taskThread = new TaskThread();

  /**
   * Creates the control of a fragment that has not begun.
   *
   * @param settings executors, memory, back end and limits
   * @param environment environment of the fragment's task
   * @param metrics metrics by plan node id, with all nodes before work begins
   * @param totals metrics of the whole fragment
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
    this.taskRank = environment.taskRank();
    this.metrics = metrics;
    this.totals = totals;
    this.failure = new FragmentFailure(environment);
    this.workItems = new FragmentWorkItems(this, monitor, taskThread, environment);
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
    // Waiting for a device is part of the operator's own time.
    if (kind != WaitKind.DEVICE) {
      add(node, NodeMetrics.WAIT_NANOS, nanos);
    }
  }

  @Override
  public MemoryUse memoryUse(int node) {
    NodeMetrics nodeMetrics = metrics.get(node);
    return nodeMetrics == null ? totals.memory() : nodeMetrics.memory();
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

  private void add(int node, String name, long value) {
    NodeMetrics nodeMetrics = metrics.get(node);
    if (nodeMetrics != null) {
      nodeMetrics.extra(name).add(value);
    }
  }

  /** Sets the supplier of {@link #diagnosis()}, which is called under the lock. */
  public void setDiagnosis(Supplier<String> diagnosis) {
    this.diagnosis = diagnosis;
  }

  /** Acquires the fragment's lock. */
  public void lock() {
    monitor.lock();
  }

  /** Releases the fragment's lock. */
  public void unlock() {
    monitor.unlock();
  }

  /** Returns whether the fragment was cancelled or has failed; needs no lock. */
  @Override
  public boolean isStopped() {
    return stopped;
  }

  /** Returns the compute threads. */
  public ComputeExecutor executor() {
    return executor;
  }

  /** Returns the threads that read spilled batches back. */
  public ComputeExecutor preload() {
    return preload;
  }

  /** Returns the query that the fragment belongs to. */
  Object query() {
    return query;
  }

  /** Returns the rank of the task among those of the query. */
  long taskRank() {
    return taskRank;
  }

  /** Returns how an expression's error becomes the exception that the user sees. */
  public ErrorReplay errorReplay() {
    return environment.errorReplay();
  }

  /** Queues a work item unless the fragment is stopped, under the lock. */
  public void submit(FragmentWork item) {
    workItems.submit(item);
  }

  /** Wakes all waiting threads because something has changed, under the lock. */
  public void signal() {
    monitor.signal();
  }

  /** Returns a number that every {@link #signal} changes, under the lock. */
  public long version() {
    return monitor.version();
  }

  /**
   * Runs a work item on the calling thread in the task's environment and records the outcome. A
   * failure outside the work itself fails the fragment as well: the thread serves other fragments,
   * too.
   */
  void run(FragmentWork item) {
    try {
      pollEnvironment();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    try {
      workItems.run(item);
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /**
   * Stops the fragment because of a failure. The first failure is delivered to the task; later ones
   * are suppressed in it.
   */
  public void fail(Throwable problem) {
    monitor.lock();
    try {
      failure.add(problem, stopped);
      stop();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Returns a failure as the task sees it.
   *
   * @param problem what was thrown
   * @param requester which part of the fragment asked for memory, for OUT_OF_MEMORY
   */
  public Throwable describe(Throwable problem, String requester) {
    return OutOfMemoryReport.describe(problem, requester, environment);
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

  /**
   * Throws the failure that stopped the fragment, once, or a CancellationException; returns if it
   * is not stopped.
   */
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

  /** Notes that the calling thread is the task thread, inside {@code next()}. */
  public void enterTaskThread() {
    monitor.lock();
    try {
      taskThread.enter();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Notes what the task thread begins to do, for diagnosis.
   *
   * @param activity a verb and its object, as in "looks for work"
   */
  public void setTaskThreadActivity(String activity) {
    taskThread.setActivity(activity);
  }

  /** Notes that the task thread leaves {@code next()}. */
  public void exitTaskThread() {
    monitor.lock();
    try {
      taskThread.exit();
      signal();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Returns whether the calling thread is the task thread inside {@code next()}, under the lock.
   */
  public boolean isOnTaskThread() {
    return taskThread.isCurrentThread();
  }

  /**
   * Returns whether the task thread is inside {@code next()} or was a moment ago; needs no lock.
   */
  public boolean isTaskActive() {
    return taskThread.isRecentlyInside();
  }

  /** Returns whether the calling thread runs one of the fragment's work items, under the lock. */
  public boolean isInWorkItem() {
    return workItems.isInWorkItem();
  }

  /**
   * Waits on the task thread until something changes, the time is over, the fragment is stopped or
   * the thread is interrupted, which cancels the fragment.
   *
   * @param seen the {@link #version} before the task thread found nothing to do
   * @param nanos how long to wait at most
   */
  public void awaitChange(long seen, long nanos) {
    Wait wait = ThreadRecord.current().await(WaitKind.OUTPUT, "the fragment's output", 0, null);
    monitor.lock();
    try {
      setTaskThreadActivity("waits for running work");
      monitor.awaitChange(seen, nanos, this::isOutputToCome);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    } finally {
      monitor.unlock();
      wait.close();
    }
  }

  /**
   * Returns, under the lock, whether output may still come. Fails a fragment that runs but has no
   * work items left.
   */
  private boolean isOutputToCome() {
    if (environment.isCancelled()) {
      stop();
    }
    if (!stopped && workItems.isEmpty()) {
      String text = "the fragment is neither finished nor has any work left:\n" + diagnosis.get();
      fail(new EngineException(ErrorCode.INTERNAL, text));
    }
    return !stopped;
  }

  /** Waits on the task thread for a time, or until the fragment is stopped. */
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

  /**
   * Waits, under the lock, until no work item runs and the task thread is outside {@code next()};
   * an interrupt does not end the wait.
   */
  public void awaitQuiet() {
    if (isQuiet()) {
      return;
    }
    Wait wait = ThreadRecord.current().await(WaitKind.OUTPUT, "the end of running work", 0, null);
    monitor.awaitEnd(this::isQuiet);
    wait.close();
  }

  private boolean isQuiet() {
    return !workItems.isRunning() && !taskThread.isInside();
  }

  /** Waits, under the lock, for a condition that only changes with a {@link #signal}. */
  public void awaitUntil(BooleanSupplier condition) {
    monitor.awaitUntil(condition);
  }

  /** Describes the work items and the state, under the lock. */
  public String describe() {
    String state = stopped ? failure.toString() : "running";
    String where = "  executor " + executor.describe() + '\n';
    return environment.description() + ": " + state + "; " + taskThread + "; " + workItems + where;
  }

  @Override
  public String toString() {
    return environment.description();
  }

  private void stop() {
    if (!stopped) {
      stopped = true;
      workItems.withdraw(executor, preload);
      ThreadRecord.endWaitsOf(this);
      signal();
    }
  }
}
