package io.ariadne.fragment.control;

import io.ariadne.compute.ComputeExecutor;
import io.ariadne.compute.WorkItem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Work of a fragment on the compute executor. One object is queued, running or parked in one place
 * at a time.
 */
public abstract class FragmentWork implements WorkItem {
  /** How long one turn of work lasts before the task is queued again. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final FragmentControl control;
  private final int distance;
  private Thread thread;
  private long startNanos;

  protected FragmentWork(FragmentControl control, int distance) {
    this.control = control;
    this.distance = distance;
  }

  /**
   * Works for a while, without the fragment's lock.
   *
   * @return null when the task is over, a complete future to be queued again, another one to be
   *     queued again when it completes
   */
  protected abstract CompletableFuture<Void> work();

  /** Records that the task is over, under the fragment's lock; the fragment is not stopped. */
  protected abstract void finished();

  /** Records that the task failed, under the fragment's lock; the fragment is not stopped. */
  protected void failed(Throwable problem) {
    control.fail(problem);
  }

  /**
   * Closes what only this task holds, under the lock, after work that failed or that ended in a
   * stopped fragment: it is neither finished nor run again.
   */
  protected void abandon() {}

  /** Returns whether the turn goes on: there is time left and the fragment is not stopped. */
  protected final boolean mayGoOn() {
    return !control.isStopped() && System.nanoTime() - startNanos < TURN_NANOS;
  }

  /** Returns which part of the task asks for memory now; after work that failed, who asked. */
  protected abstract String asker();

  protected final FragmentControl control() {
    return control;
  }

  /** Returns whose threads run the task. */
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
  public final int partition() {
    return control.partition();
  }

  @Override
  public final void run() {
    control.run(this);
  }

  /** Notes who runs the task, under the lock. */
  final void started() {
    thread = Thread.currentThread();
    startNanos = System.nanoTime();
  }

  /** Returns the thread that runs the task. */
  final Thread thread() {
    return thread;
  }

  /** Describes the running task, under the lock. */
  final String describe() {
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    return this + " on " + thread.getName() + " for " + millis + " ms";
  }
}
