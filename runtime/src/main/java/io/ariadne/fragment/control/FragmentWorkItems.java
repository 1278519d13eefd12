package io.ariadne.fragment.control;

import io.ariadne.compute.ComputeExecutor;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WorkOwner;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The unfinished work items of a fragment: each is queued, running or parked. Guarded by the
 * fragment's lock, except for {@link #run}.
 *
 * <p>A parked work item occupies no thread; it waits for a future, such as one of an operator.
 */
final class FragmentWorkItems {
  private final FragmentControl control;
  private final FragmentMonitor monitor;
  private final TaskThread taskThread;
  private final TaskEnvironment environment;
  private final Set<FragmentWork> running = new LinkedHashSet<>();
  private int queued;
  private int parked;

  /**
   * Creates a fragment without work items.
   *
   * @param control is told of failures
   * @param monitor the fragment's lock
   * @param taskThread the fragment's
   * @param environment entered by threads other than the task thread
   */
  FragmentWorkItems(
      FragmentControl control,
      FragmentMonitor monitor,
      TaskThread taskThread,
      TaskEnvironment environment) {
    this.control = control;
    this.monitor = monitor;
    this.taskThread = taskThread;
    this.environment = environment;
  }

  /** Queues a work item on its executor unless the fragment is stopped. */
  void submit(FragmentWork item) {
    if (!control.isStopped()) {
      item.executor().submit(item);
      queued++; // before the work item can begin, as the caller has the lock; not if submit throws
    }
  }

  /** Removes all queued work items from the executors. */
  void withdraw(ComputeExecutor executor, ComputeExecutor preload) {
    queued -= executor.withdraw(control) + preload.withdraw(control);
  }

  /** Returns whether no work item is queued, running or parked. */
  boolean isEmpty() {
    return queued == 0 && running.isEmpty() && parked == 0;
  }

  /** Returns whether any work item runs. */
  boolean isRunning() {
    return !running.isEmpty();
  }

  /** Returns whether the calling thread runs a work item. */
  boolean isInWorkItem() {
    return running.stream().anyMatch(item -> item.thread() == Thread.currentThread());
  }

  /**
   * Runs a work item on the calling thread in the task's environment and records the outcome;
   * called without the lock.
   */
  void run(FragmentWork item) {
    if (!begin(item)) {
      return;
    }
    CompletableFuture<Void> wait = null;
    Throwable problem = null;
    try {
      wait = recorded(item);
    } catch (Throwable t) {
      problem = t;
    }
    end(item, wait, problem);
  }

  private CompletableFuture<Void> recorded(FragmentWork item) {
    ThreadRecord thread = ThreadRecord.current();
    WorkOwner before = thread.workFor(control);
    long start = System.nanoTime();
    try {
      return inEnvironment(item);
    } finally {
      try {
        thread.ended(
            EventKind.TASK, start, 0, null, null); // for the node that the thread last worked for
      } finally {
        thread.workFor(before);
      }
    }
  }

  private boolean begin(FragmentWork item) {
    monitor.lock();
    try {
      if (control.isStopped()) {
        return false;
      }
      queued--;
      // A task thread that runs a work item waits for the fragment's output all the same.
      monitor.addWaiters(taskThread.isCurrentThread() ? 1 : 0);
      running.add(item);
      item.started();
      return true;
    } finally {
      monitor.unlock();
    }
  }

  private CompletableFuture<Void> inEnvironment(FragmentWork item) {
    if (taskThread.isCurrentThread()) {
      return item.work();
    }
    environment.enter();
    try {
      return item.work();
    } finally {
      environment.exit();
    }
  }

  private void end(FragmentWork item, CompletableFuture<Void> wait, Throwable problem) {
    boolean park = false;
    monitor.lock();
    try {
      monitor.addWaiters(taskThread.isCurrentThread() ? -1 : 0);
      running.remove(item);
      if (problem != null) {
        failIn(item, problem);
      }
      if (control.isStopped() || problem != null) {
        item.abandon();
      } else if (wait == null) {
        item.finished();
      } else if (wait.isDone() && !wait.isCompletedExceptionally()) {
        submit(item);
      } else {
        parked++;
        park = true;
      }
    } catch (RuntimeException | Error e) {
      control.fail(e);
    } finally {
      monitor.signal();
      monitor.unlock();
    }
    if (park) {
      park(item, wait);
    }
  }

  /**
   * Queues a work item again when a future completes; the work item fails if no callback can be
   * registered.
   */
  private void park(FragmentWork item, CompletableFuture<Void> wait) {
    try {
      CompletableFuture<Void> unused = wait.whenComplete((nothing, failed) -> unpark(item, failed));
    } catch (RuntimeException | Error e) {
      unpark(item, e);
    }
  }

  /** Lets the work item of a running fragment decide what its failure means. */
  private void failIn(FragmentWork item, Throwable thrown) {
    Throwable problem = control.describe(thrown, item.requester());
    if (control.isStopped()) {
      control.fail(problem);
    } else {
      item.failed(problem);
      monitor.signal();
    }
  }

  private void unpark(FragmentWork item, Throwable problem) {
    monitor.lock();
    try {
      parked--;
      if (problem != null) {
        failIn(item, unwrapped(problem));
      } else {
        submit(item);
      }
    } catch (RuntimeException | Error e) {
      control.fail(e);
    } finally {
      // the task thread may run it before a compute thread wakes up
      monitor.signal();
      monitor.unlock();
    }
  }

  /** Returns the original failure of a future: a dependent future wraps it. */
  private static Throwable unwrapped(Throwable problem) {
    Throwable inner = problem;
    while (inner instanceof CompletionException && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  /** Describes them; running ones in a line each. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(queued).append(" work items queued, ").append(parked).append(" parked, ");
    text.append(running.size()).append(" running\n");
    running.forEach(item -> text.append("  ").append(item.describe()).append('\n'));
    return text.toString();
  }
}
