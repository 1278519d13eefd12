package io.ariadne.compute;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that run compute tasks, and their queue.
 *
 * <p>At most {@link #threadCount()} tasks run at any time, those included that a waiting thread
 * runs itself through {@link #help}. Thread-safe. The creator closes it after every owner has
 * withdrawn its tasks.
 *
 * <p>Order: a task is as old as the time since it was submitted, and counts as {@value
 * #MILLIS_PER_DISTANCE} ms younger for every breaker between it and its fragment's output; the
 * oldest runs first. So work near an output goes ahead, which frees memory soonest, and nothing
 * waits for ever.
 */
public final class ComputeExecutor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ComputeExecutor.class);
  private static final long MILLIS_PER_DISTANCE = 20;
  private static final long HELP_SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(MILLIS_PER_DISTANCE);

  private final String name;
  private final int threadCount;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition available = lock.newCondition();
  private final PriorityQueue<Entry> queue = new PriorityQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final long originNanos = System.nanoTime();
  private long submitted;
  private int running;
  private boolean closed;

  /** A queued task; {@code due} and then {@code number} give the order. */
  private record Entry(ComputeTask task, long due, long number) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byDue = Long.compare(due, other.due);
      return byDue != 0 ? byDue : Long.compare(number, other.number);
    }
  }

  /**
   * Starts the threads.
   *
   * @param name prefix of the threads' names
   * @param threadCount how many tasks may run at once, at least 1
   */
  public ComputeExecutor(String name, int threadCount) {
    if (threadCount < 1) {
      throw new IllegalArgumentException("threadCount=" + threadCount);
    }
    this.name = name;
    this.threadCount = threadCount;
    for (int i = 0; i < threadCount; i++) {
      boolean inheritThreadLocals = false;
      Thread thread = new Thread(null, this::work, name + "-" + i, 0, inheritThreadLocals);
      thread.setDaemon(true);
      thread.setContextClassLoader(ComputeExecutor.class.getClassLoader());
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  /** Returns how many tasks may run at once. */
  public int threadCount() {
    return threadCount;
  }

  /**
   * Queues a task; does not block.
   *
   * @throws IllegalStateException when the executor is closed
   */
  public void submit(ComputeTask task) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("compute executor " + name + " is closed");
      }
      long penalty = TimeUnit.MILLISECONDS.toNanos(MILLIS_PER_DISTANCE * task.distance());
      long due = System.nanoTime() - originNanos + penalty;
      queue.add(new Entry(task, due, submitted++));
      available.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs the most urgent task of one owner on the calling thread, if one is queued, fewer than
   * {@link #threadCount()} tasks are running and nobody else's work is overdue.
   *
   * @return whether a task was run
   */
  public boolean help(Object owner) {
    ComputeTask task = null;
    lock.lock();
    try {
      Entry best = null;
      for (Entry entry : queue) {
        if (entry.task.owner() == owner && (best == null || entry.compareTo(best) < 0)) {
          best = entry;
        }
      }
      if (best != null && running < threadCount && best.due - queue.peek().due < HELP_SLACK_NANOS) {
        queue.remove(best);
        running++;
        task = best.task;
      }
    } finally {
      lock.unlock();
    }
    if (task == null) {
      return false;
    }
    try {
      runLogged(task);
    } finally {
      ended();
    }
    return true;
  }

  /**
   * Takes an owner's tasks out of the queue; those already running go on.
   *
   * @return how many were taken out
   */
  public int withdraw(Object owner) {
    lock.lock();
    try {
      int withdrawn = 0;
      for (Iterator<Entry> entries = queue.iterator(); entries.hasNext(); ) {
        if (entries.next().task.owner() == owner) {
          entries.remove();
          withdrawn++;
        }
      }
      return withdrawn;
    } finally {
      lock.unlock();
    }
  }

  /** Describes threads and queue in one line, for diagnosis. */
  public String describe() {
    lock.lock();
    try {
      return name + ": " + running + " of " + threadCount + " running, " + queue.size() + " queued";
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets running tasks end and stops the threads; waits for neither. Queued tasks are dropped:
   * their owners should have withdrawn them. Idempotent.
   */
  public void shutdown() {
    lock.lock();
    try {
      closed = true;
      if (!queue.isEmpty()) {
        LOG.warn("{} is closed with {} tasks in its queue", name, queue.size());
        queue.clear();
      }
      available.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether no thread is left after {@link #shutdown()}. */
  public boolean isTerminated() {
    return threads.stream().noneMatch(Thread::isAlive);
  }

  /** Does as {@link #shutdown()} and waits until no thread is left, interrupts notwithstanding. */
  @Override
  public void close() {
    shutdown();
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void work() {
    for (ComputeTask task = take(); task != null; task = take()) {
      try {
        runLogged(task);
      } finally {
        ended();
      }
    }
  }

  private ComputeTask take() {
    lock.lock();
    try {
      while (!closed && (queue.isEmpty() || running >= threadCount)) {
        available.awaitUninterruptibly();
      }
      if (closed) {
        return null;
      }
      running++;
      return queue.remove().task;
    } finally {
      lock.unlock();
    }
  }

  private void ended() {
    lock.lock();
    try {
      running--;
      if (!queue.isEmpty()) {
        available.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Keeps the thread alive: a task that throws has broken its contract, which is logged. */
  private static void runLogged(ComputeTask task) {
    try {
      task.run();
    } catch (Throwable t) {
      LOG.error("compute task {} failed outside its owner's control", task, t);
    }
  }
}
