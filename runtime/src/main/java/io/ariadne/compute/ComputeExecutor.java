package io.ariadne.compute;

import io.ariadne.event.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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
 * <p>Order: queries share the threads evenly; of one query, what is nearest to an output comes
 * first, then the lowest partition, then what has waited longest ({@link TaskQueue}).
 */
public final class ComputeExecutor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ComputeExecutor.class);

  private final String name;
  private final int threadCount;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition available = lock.newCondition();
  private TaskQueue queue = new TaskQueue();
  private final List<Thread> threads = new ArrayList<>();
  private int running;
  private final AtomicLong turns = new AtomicLong();
  private boolean closed;

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
      queue.add(task, System.nanoTime());
      available.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs the most urgent task of one owner on the calling thread, if one is queued, fewer than
   * {@link #threadCount()} tasks are running and nobody else's work comes clearly before it.
   *
   * @return whether a task was run
   */
  public boolean help(Object owner) {
    TaskQueue.Taken taken = null;
    lock.lock();
    try {
      if (running < threadCount) {
        taken = queue.pollOf(owner);
      }
      if (taken == null) {
        return false;
      }
      running++;
    } finally {
      lock.unlock();
    }
    run(taken);
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
      return queue.withdraw(owner);
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many turns of tasks have ended so far. */
  public long turns() {
    return turns.get();
  }

  /** Describes threads and queue in one line, for diagnosis. */
  public String describe() {
    lock.lock();
    try {
      return name + ": " + running + " of " + threadCount + " running, " + queue.describe();
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
      if (queue.size() > 0) {
        LOG.warn("{} is closed with {} tasks in its queue", name, queue.size());
        queue = new TaskQueue();
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
    threads.forEach(Threads::join);
  }

  private void work() {
    for (TaskQueue.Taken taken = take(); taken != null; taken = take()) {
      run(taken);
    }
  }

  private TaskQueue.Taken take() {
    lock.lock();
    try {
      while (!closed && (queue.size() == 0 || running >= threadCount)) {
        available.awaitUninterruptibly();
      }
      if (closed) {
        return null;
      }
      running++;
      return queue.poll(System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  private void run(TaskQueue.Taken taken) {
    long start = System.nanoTime();
    try {
      runLogged(taken.task());
    } finally {
      ended(taken, System.nanoTime() - start);
    }
  }

  private void ended(TaskQueue.Taken taken, long elapsedNanos) {
    lock.lock();
    try {
      running--;
      turns.incrementAndGet();
      queue.ended(taken, elapsedNanos);
      if (queue.size() > 0) {
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
