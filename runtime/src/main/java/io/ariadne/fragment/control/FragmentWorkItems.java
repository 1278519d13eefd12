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
 * The tasks of a fragment that are not over: each is queued, running or parked. Guarded by the
 * fragment's lock, but for {@link #run}.
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
   * Creates a fragment without tasks.
   *
   * @param control is told what fails
   * @param monitor the fragment's lock
   * @param taskThread the fragment's
   * @param environment surroundings of tasks on threads that are not the pump
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

  /** Queues a task where it wants to run, unless the fragment is stopped. */
  void submit(FragmentWork task) {
    if (!control.isStopped()) {
      task.executor().submit(task);
      queued++; // by the caller's monitor before the task begins; not when it was refused
    }
  }

  /** Takes back all tasks that are queued. */
  void withdraw(ComputeExecutor executor, ComputeExecutor preload) {
    queued -= executor.withdraw(control) + preload.withdraw(control);
  }

  /** Returns whether there is nothing that could go on. */
  boolean isEmpty() {
    return queued == 0 && running.isEmpty() && parked == 0;
  }

  /** Returns whether any task runs. */
  boolean isRunning() {
    return !running.isEmpty();
  }

  /** Returns whether the calling thread runs one. */
  boolean isInTask() {
    return running.stream().anyMatch(task -> task.thread() == Thread.currentThread());
  }

  /**
   * Runs a task's work on the calling thread, its surroundings set, and records what became of it;
   * without the lock.
   */
  void run(FragmentWork task) {
    if (!begin(task)) {
      return;
    }
    CompletableFuture<Void> wait = null;
    Throwable problem = null;
    try {
      wait = recorded(task);
    } catch (Throwable t) {
      problem = t;
    }
    end(task, wait, problem);
  }

  private CompletableFuture<Void> recorded(FragmentWork task) {
    ThreadRecord thread = ThreadRecord.current();
    WorkOwner before = thread.workFor(control);
    long start = System.nanoTime();
    try {
      return inEnvironment(task);
    } finally {
      try {
        thread.ended(EventKind.TASK, start, 0, null, null); // of the node last worked for
      } finally {
        thread.workFor(before);
      }
    }
  }

  private boolean begin(FragmentWork task) {
    monitor.lock();
    try {
      if (control.isStopped()) {
        return false;
      }
      queued--;
      // The pump that helps waits for the fragment's output like one that does not.
      monitor.addAwaiting(taskThread.isCurrentThread() ? 1 : 0);
      running.add(task);
      task.started();
      return true;
    } finally {
      monitor.unlock();
    }
  }

  private CompletableFuture<Void> inEnvironment(FragmentWork task) {
    if (taskThread.isCurrentThread()) {
      return task.work();
    }
    environment.enter();
    try {
      return task.work();
    } finally {
      environment.exit();
    }
  }

  private void end(FragmentWork task, CompletableFuture<Void> wait, Throwable problem) {
    boolean park = false;
    monitor.lock();
    try {
      monitor.addAwaiting(taskThread.isCurrentThread() ? -1 : 0);
      running.remove(task);
      if (problem != null) {
        failIn(task, problem);
      }
      if (control.isStopped() || problem != null) {
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
      control.fail(e);
    } finally {
      monitor.signal();
      monitor.unlock();
    }
    if (park) {
      park(task, wait);
    }
  }

  /** Has the task queued again when a future completes; it fails when that cannot be asked for. */
  private void park(FragmentWork task, CompletableFuture<Void> wait) {
    try {
      CompletableFuture<Void> unused = wait.whenComplete((nothing, failed) -> unpark(task, failed));
    } catch (RuntimeException | Error e) {
      unpark(task, e);
    }
  }

  /** Lets a task of a running fragment decide what its failure means. */
  private void failIn(FragmentWork task, Throwable thrown) {
    Throwable problem = control.describe(thrown, task.asker());
    if (control.isStopped()) {
      control.fail(problem);
    } else {
      task.failed(problem);
      monitor.signal();
    }
  }

  private void unpark(FragmentWork task, Throwable problem) {
    monitor.lock();
    try {
      parked--;
      if (problem != null) {
        failIn(task, unwrapped(problem));
      } else {
        submit(task);
      }
    } catch (RuntimeException | Error e) {
      control.fail(e);
    } finally {
      // the pump may run it before a compute thread has woken up
      monitor.signal();
      monitor.unlock();
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

  /** Describes them, those that run in a line each. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(queued).append(" tasks queued, ").append(parked).append(" parked, ");
    text.append(running.size()).append(" running\n");
    running.forEach(task -> text.append("  ").append(task.describe()).append('\n'));
    return text.toString();
  }
}
