package io.ariadne.compute;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.event.RoundFailures;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.event.WorkPermit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the work items of all fragments on a fixed number of compute threads.
 *
 * <p>At most {@link #threadCount()} work items run at any time, including those that a task thread
 * runs through {@link #help}. A work item that waits for memory does not count ({@link
 * WorkPermit}): the executor runs other work items meanwhile, which may free that memory, and
 * starts up to {@link #threadCount()} more threads for them if it must. When the wait ends, the
 * work item continues beside them.
 *
 * <p>Queries share the threads evenly. Within a query, the work item closest to the fragment's
 * output runs first, then that of the task of the lowest rank, then the one that has been queued
 * longest ({@link WorkQueue}).
 *
 * <p>Thread-safe. The creator closes the executor after all owners have withdrawn their work items.
 */
public final class ComputeExecutor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ComputeExecutor.class);

  /** How long a thread pauses after it failed to take a work item. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final String name;
  private final int threadCount;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition available = lock.newCondition();

  @GuardedBy("lock")
  private WorkQueue queue = new WorkQueue();

  @GuardedBy("lock")
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("lock")
  private int running;

  /** Threads that wait for a work item. */
  @GuardedBy("lock")
  private int idle;

  /**
   * Threads of this executor whose work item waits for memory: another thread may replace each of
   * them meanwhile.
   */
  @GuardedBy("lock")
  private int waiting;

  @GuardedBy("lock")
  private int started;

  private final AtomicLong finishedRuns = new AtomicLong();
  private final RoundFailures failures;

  @GuardedBy("lock")
  private boolean closed;

  /**
   * Starts the threads.
   *
   * @param name prefix of the threads' names
   * @param threadCount how many work items may run at the same time, at least 1
   */
  public ComputeExecutor(String name, int threadCount) {
    if (threadCount < 1) {
      throw new IllegalArgumentException("threadCount=" + threadCount);
    }
    this.name = name;
    this.threadCount = threadCount;
    this.failures = new RoundFailures(LOG, "a thread or work item of " + name + " fails");
    lock.lock();
    try {
      while (threads.size() < threadCount) {
        startThread();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void startThread() {
    Thread thread = Threads.daemon(name + "-" + started++, this::work);
    threads.add(thread);
    boolean isRunning = false;
    try {
      thread.start();
      isRunning = true;
    } finally {
      if (!isRunning) {
        threads.remove(thread);
      }
    }
  }

  /** Returns how many work items may run at the same time. */
  public int threadCount() {
    return threadCount;
  }

  /**
   * Queues a work item; does not block.
   *
   * @throws IllegalStateException if the executor is closed
   */
  public void submit(WorkItem item) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("compute executor " + name + " is closed");
      }
      queue.add(item, System.nanoTime());
      dispatch();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs the most urgent work item of an owner on the calling thread. Does nothing if the owner has
   * none queued, if {@link #threadCount()} work items are already running, or if work of another
   * owner is clearly more urgent.
   *
   * @return whether a work item was run
   */
  public boolean help(Object owner) {
    // Allocate before taking a work item: a work item that was taken must run.
    Permit permit = new Permit(false);
    ThreadRecord thread = ThreadRecord.current();
    WorkQueue.Taken taken = null;
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
    run(taken, permit, thread);
    return true;
  }

  /**
   * Removes an owner's work items from the queue; running ones continue.
   *
   * @return how many were removed
   */
  public int withdraw(Object owner) {
    lock.lock();
    try {
      return queue.withdraw(owner);
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many runs of work items have ended so far. */
  public long finishedRuns() {
    return finishedRuns.get();
  }

  /** Describes the threads and the queue in one line, for diagnosis. */
  public String describe() {
    lock.lock();
    try {
      return name + ": " + running + " of " + threadCount + " running, " + queue.describe();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets running work items end and stops the threads, without waiting for either. Drops queued
   * work items, which their owners should have withdrawn. Idempotent.
   */
  public void shutdown() {
    lock.lock();
    try {
      closed = true;
      if (queue.size() > 0) {
        LOG.warn("{} was closed with {} work items in its queue", name, queue.size());
        queue = new WorkQueue();
      }
      available.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether all threads have ended after {@link #shutdown()}. */
  public boolean isTerminated() {
    return threads().stream().noneMatch(Thread::isAlive);
  }

  /**
   * Calls {@link #shutdown()} and waits until all threads have ended; an interrupt does not end the
   * wait.
   */
  @Override
  public void close() {
    shutdown();
    threads().forEach(Threads::join);
  }

  private List<Thread> threads() {
    lock.lock();
    try {
      return List.copyOf(threads);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes and runs work items until the executor has none left for this thread. A failure in here
   * ends neither the thread nor a work item: a work item reports its own failures to its owner.
   */
  private void work() {
    Permit permit = new Permit(true);
    for (boolean isOpen = true; isOpen; ) {
      try {
        ThreadRecord thread = ThreadRecord.current();
        WorkQueue.Taken taken = take();
        isOpen = taken != null;
        if (isOpen) {
          run(taken, permit, thread);
        }
      } catch (RuntimeException | Error e) {
        failures.failed(e);
        // If memory was short, it may suffice a moment later.
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }

  /** Returns the next work item; null if this thread is to end. */
  private WorkQueue.Taken take() {
    lock.lock();
    try {
      while (!closed && (queue.size() == 0 || running >= threadCount)) {
        if (threads.size() - waiting > threadCount) {
          threads.remove(Thread.currentThread());
          return null;
        }
        idle++;
        try {
          available.awaitUninterruptibly();
        } finally {
          idle--;
        }
      }
      if (closed) {
        return null;
      }
      WorkQueue.Taken taken = queue.poll(System.nanoTime());
      running++;
      dispatch();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes or starts a thread if a queued work item may run. */
  @GuardedBy("lock")
  private void dispatch() {
    if (closed || queue.size() == 0 || running >= threadCount) {
      return;
    }
    if (idle > 0) {
      available.signal();
    } else if (threads.size() - waiting < threadCount && threads.size() < 2 * threadCount) {
      startAnother();
    }
  }

  /**
   * Starts one more thread. If the operating system refuses it, the existing threads do all the
   * work.
   */
  @GuardedBy("lock")
  private void startAnother() {
    try {
      startThread();
    } catch (OutOfMemoryError e) {
      failures.failed(e);
    }
  }

  /** The right to run one of the work items that run at the same time. */
  private final class Permit implements WorkPermit {
    private final boolean isOwnThread;

    Permit(boolean isOwnThread) {
      this.isOwnThread = isOwnThread;
    }

    @Override
    public void giveBack() {
      count(-1);
    }

    @Override
    public void takeAgain() {
      count(1);
    }

    private void count(int change) {
      lock.lock();
      try {
        running += change;
        waiting -= isOwnThread ? change : 0;
        dispatch();
      } finally {
        lock.unlock();
      }
    }
  }

  private void run(WorkQueue.Taken taken, Permit permit, ThreadRecord thread) {
    long start = System.nanoTime();
    try {
      WorkPermit before = thread.workBy(permit);
      try {
        runLogged(taken.item());
      } finally {
        thread.workBy(before);
      }
    } finally {
      ended(taken, System.nanoTime() - start);
    }
  }

  private void ended(WorkQueue.Taken taken, long elapsedNanos) {
    lock.lock();
    try {
      running--;
      finishedRuns.incrementAndGet();
      queue.ended(taken, elapsedNanos);
      dispatch();
    } finally {
      lock.unlock();
    }
  }

  /** Runs a work item; logs what it throws, against its contract, so that the thread survives. */
  private void runLogged(WorkItem item) {
    try {
      item.run();
    } catch (Throwable t) {
      failures.failed(t);
    }
  }
}
