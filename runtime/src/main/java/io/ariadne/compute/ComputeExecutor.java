package io.ariadne.compute;

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
 * The threads that run compute tasks, and their queue.
 *
 * <p>At most {@link #threadCount()} tasks run at any time, those included that a waiting thread
 * runs itself through {@link #help}. A task that waits for memory does not count ({@link
 * WorkPermit}): others run meanwhile, which may be those that free it, on further threads when
 * there are too few, at most as many again. For the rest of its turn it runs beside them.
 * Thread-safe. The creator closes it after every owner has withdrawn its tasks.
 *
 * <p>Order: queries share the threads evenly; of one query, what is nearest to an output comes
 * first, then the lowest partition, then what has waited longest ({@link WorkQueue}).
 */
public final class ComputeExecutor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ComputeExecutor.class);

  /** How long a thread pauses that could not take a task. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final String name;
  private final int threadCount;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition available = lock.newCondition();
  private WorkQueue queue = new WorkQueue();
  private final List<Thread> threads = new ArrayList<>();
  private int running;

  /** Threads that wait for a task. */
  private int idle;

  /** Own threads whose task waits for memory: each may be replaced meanwhile. */
  private int waiting;

  private int started;
  private final AtomicLong turns = new AtomicLong();
  private final RoundFailures failures;
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
    this.failures = new RoundFailures(LOG, "a thread or task of " + name + " fails");
    lock.lock();
    try {
      while (threads.size() < threadCount) {
        startThread();
      }
    } finally {
      lock.unlock();
    }
  }

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

  /** Returns how many tasks may run at once. */
  public int threadCount() {
    return threadCount;
  }

  /**
   * Queues a task; does not block.
   *
   * @throws IllegalStateException when the executor is closed
   */
  public void submit(WorkItem task) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("compute executor " + name + " is closed");
      }
      queue.add(task, System.nanoTime());
      dispatch();
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
    // Allocate first, which may fail: a task that was taken must run.
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
        queue = new WorkQueue();
      }
      available.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether no thread is left after {@link #shutdown()}. */
  public boolean isTerminated() {
    return threads().stream().noneMatch(Thread::isAlive);
  }

  /** Does as {@link #shutdown()} and waits until no thread is left, interrupts notwithstanding. */
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
   * Takes tasks and runs them until there will be none. What fails there is neither the thread's
   * end nor a task's: a task keeps what it throws to its owner.
   */
  private void work() {
    Permit permit = new Permit(true);
    for (boolean goesOn = true; goesOn; ) {
      try {
        ThreadRecord thread = ThreadRecord.current();
        WorkQueue.Taken taken = take();
        goesOn = taken != null;
        if (goesOn) {
          run(taken, permit, thread);
        }
      } catch (RuntimeException | Error e) {
        failures.failed(e);
        // What there was no memory for may be there a moment later.
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }

  /** Returns the next task; null when there will be none for this thread. */
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

  /** Sees to it that somebody takes the next task if it may run; the caller has the lock. */
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

  /** The system may refuse more threads: those there are do all the work then. */
  private void startAnother() {
    try {
      startThread();
    } catch (OutOfMemoryError e) {
      failures.failed(e);
    }
  }

  /** A thread's right to run one of the tasks that run at once. */
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
        runLogged(taken.task());
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
      turns.incrementAndGet();
      queue.ended(taken, elapsedNanos);
      dispatch();
    } finally {
      lock.unlock();
    }
  }

  /** Keeps the thread alive: a task that throws has broken its contract, which is logged. */
  private void runLogged(WorkItem task) {
    try {
      task.run();
    } catch (Throwable t) {
      failures.failed(t);
    }
  }
}
