package io.ariadne.fragment.control;

import io.ariadne.compute.ComputeExecutor;
import io.ariadne.compute.WorkItem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A work item of a fragment. At any time it is either queued, running or parked, in one place only.
 *
 * <p>Subclasses implement {@link #work()} and what follows from its outcome. The compute executor
 * or the task thread calls {@link #run()}; {@link FragmentWorkItems} decides whether the work item
 * is queued again.
 */
public abstract class FragmentWork implements WorkItem {
  /** How long a work item runs before it is queued again. */
  private static final long TIME_SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final FragmentControl control;
  private final int distance;
  private Thread thread;
  private long startNanos;

  /**
   * Creates a work item that is not queued.
   *
   * @param control the fragment's
   * @param distance number of breakers between its output and the fragment's output
   */
  protected FragmentWork(FragmentControl control, int distance) {
    this.control = control;
    this.distance = distance;
  }

  /**
   * Works for a time slice, without the fragment's lock.
   *
   * @return null if the work item is finished; a complete future to be queued again; an incomplete
   *     one to be queued again when it completes
   */
  protected abstract CompletableFuture<Void> work();

  /** Records that the work item has finished, under the lock of a fragment that is not stopped. */
  protected abstract void finished();

  /** Records that the work item has failed, under the lock of a fragment that is not stopped. */
  protected void failed(Throwable problem) {
    control.fail(problem);
  }

  /**
   * Closes what only this work item holds, under the lock. Called after work that failed, and after
   * any work if the fragment is stopped; neither {@link #finished()} nor another run follows.
   */
  protected void abandon() {}

  /** Returns whether the time slice is not over and the fragment is not stopped. */
  protected final boolean hasTimeLeft() {
    return !control.isStopped() && System.nanoTime() - startNanos < TIME_SLICE_NANOS;
  }

  /** Returns which part of the fragment asks for memory now; after a failure, which part asked. */
  protected abstract String requester();

  /** Returns the control of the fragment. */
  protected final FragmentControl control() {
    return control;
  }

  /** Returns the threads that run the work item. */
  public ComputeExecutor executor() {
    return control.executor();
  }

  @Override
  public final Object owner() {
    return control;
  }

  @Override
  public final int distance() {
    return distance;
  }

  @Override
  public final Object query() {
    return control.query();
  }

  @Override
  public final long taskRank() {
    return control.taskRank();
  }

  @Override
  public final void run() {
    control.run(this);
  }

  /** Notes that the calling thread runs the work item, under the lock. */
  final void started() {
    thread = Thread.currentThread();
    startNanos = System.nanoTime();
  }

  /** Returns the thread that runs the work item. */
  final Thread thread() {
    return thread;
  }

  /** Describes the running work item, under the lock. */
  final String describe() {
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    return this + " on " + thread.getName() + " for " + millis + " ms";
  }
}
