package io.ariadne.event;

import io.ariadne.columnar.buffer.MemoryTier;
import java.util.List;
import java.util.function.Consumer;

/**
 * Records what one thread does: its latest events, the work that it runs and the wait that it is
 * in. Written only by that thread, read by any thread.
 */
public final class ThreadRecord {
  private static final String STOPPED = "the work was stopped";

  private static final ThreadLocal<ThreadRecord> CURRENT = new ThreadLocal<>();

  /**
   * Something that a thread waits for.
   *
   * @param <T> type of its result
   * @param <E> type of its exceptions
   */
  @FunctionalInterface
  public interface Pause<T, E extends Exception> {
    /** Waits until it is over. */
    T run() throws E;
  }

  private final Thread thread;
  private final EventRing ring = new EventRing();
  private volatile WorkOwner owner;
  private volatile Wait wait;
  private int node = -1;
  private boolean mayWait = true;
  private WorkPermit permit = WorkPermit.NONE;

  ThreadRecord(Thread thread) {
    this.thread = thread;
  }

  /** Returns the calling thread's record. */
  public static ThreadRecord current() {
    ThreadRecord record = CURRENT.get();
    if (record == null) {
      record = ThreadRecords.open();
      CURRENT.set(record);
    }
    return record;
  }

  /**
   * Sets the work that the thread runs.
   *
   * @param next the owner of the work, or null for none
   * @return the owner before, which the caller restores
   */
  public WorkOwner workFor(WorkOwner next) {
    WorkOwner before = owner;
    owner = next;
    node = -1;
    return before;
  }

  /** Sets the plan node that the thread works for; -1 for none. */
  public void workOn(int planNode) {
    node = planNode;
  }

  /** Returns the owner of the thread's work, or null. */
  public WorkOwner owner() {
    return owner;
  }

  /** Returns the plan node that the thread works for, or -1. Called by the thread itself. */
  public int node() {
    return node;
  }

  /**
   * Returns what buffers count for that the calling thread allocates now, or null. Creates no
   * record for threads without one, such as those that serve other processes.
   */
  public static MemoryUse memoryUse() {
    ThreadRecord record = CURRENT.get();
    WorkOwner worksFor = record == null ? null : record.owner;
    return worksFor == null ? null : worksFor.memoryUse(record.node);
  }

  /**
   * Sets whether the thread may wait when it allocates memory. A thread that may not is refused at
   * once, because other threads wait for it. Called by the thread itself.
   *
   * @return the value before, which the caller restores
   */
  public boolean mayWait(boolean may) {
    boolean before = mayWait;
    mayWait = may;
    return before;
  }

  /** Returns whether the thread may wait when it allocates. Called by the thread itself. */
  public boolean mayWait() {
    return mayWait;
  }

  /**
   * Sets the thread's work permit. Called by the thread itself.
   *
   * @return the permit before, which the caller restores
   */
  public WorkPermit workBy(WorkPermit next) {
    WorkPermit before = permit;
    permit = next;
    return before;
  }

  /**
   * Pauses without the thread's work permit, so that another thread works meanwhile. Called by the
   * thread itself, which has the permit again when this returns or throws.
   *
   * @param pause waits for something; does no work
   * @return what the pause returns
   * @throws E what the pause throws
   */
  public <T, E extends Exception> T withoutPermit(Pause<T, E> pause) throws E {
    WorkPermit held = permit;
    held.giveBack();
    try {
      return pause.run();
    } finally {
      held.takeAgain();
    }
  }

  /** Returns the innermost wait that the thread is in, or null. */
  public Wait currentWait() {
    return wait;
  }

  /**
   * Begins a wait. Called by the thread itself, which closes the wait when it is over, whether it
   * succeeds or not. A breakable wait ends at once when the owner of the work is stopped.
   *
   * @param kind what the thread waits for
   * @param what description for people; {@code toString} is called only when the wait is printed,
   *     so it may describe a changing state and costs nothing before
   * @param bytes how many bytes the thread waits for, 0 where that has no meaning
   * @param breaker ends the wait early, called by another thread with the reason; null when the
   *     wait is not breakable
   */
  public Wait await(WaitKind kind, Object what, long bytes, Consumer<String> breaker) {
    Wait begun = new Wait(this, wait, kind, what, bytes, breaker);
    wait = begun;
    WorkOwner waiter = owner;
    if (breaker != null && waiter != null && waiter.isStopped()) {
      // The thread that stopped the work may not have seen this wait.
      begun.breakOff(STOPPED);
    }
    return begun;
  }

  /** Ends a wait: records an event, and tells the owner unless the wait was within another one. */
  void waited(Wait ended) {
    wait = ended.outer();
    long nanos = System.nanoTime() - ended.startNanos();
    ring.add(EventKind.WAIT, node, ended.startNanos(), nanos, ended.bytes(), null, null);
    WorkOwner waiter = owner;
    if (waiter != null && ended.outer() == null) {
      waiter.waited(node, ended.kind(), nanos);
    }
  }

  /**
   * Adds an event that ends now. Called by the thread itself.
   *
   * @param kind kind of the event
   * @param startNanos when it began, by {@link System#nanoTime}
   * @param bytes bytes that moved, or 0
   * @param from tier they came from, or null
   * @param to tier they went to, or null
   * @return how long it took, in nanoseconds
   */
  public long ended(EventKind kind, long startNanos, long bytes, MemoryTier from, MemoryTier to) {
    long nanos = System.nanoTime() - startNanos;
    ring.add(kind, node, startNanos, nanos, bytes, from, to);
    return nanos;
  }

  /**
   * Ends all breakable waits of threads that work for an owner. Called after the owner is {@link
   * WorkOwner#isStopped stopped}.
   */
  public static void endWaitsOf(WorkOwner stopped) {
    for (Wait each : ThreadRecords.waits()) {
      if (each.isBreakable() && each.owner() == stopped) {
        each.breakOff(STOPPED);
      }
    }
  }

  /** Returns the name of the thread. */
  public String threadName() {
    return thread.getName();
  }

  /** Returns the thread. */
  public Thread thread() {
    return thread;
  }

  /** Returns the number of events so far. */
  long eventCount() {
    return ring.count();
  }

  /** Returns the totals of a kind. */
  EventTotals totals(EventKind kind) {
    return ring.totals(kind);
  }

  /** Returns the events from a number on that were not overwritten. */
  List<Event> eventsSince(long from) {
    return ring.since(from, thread.getName());
  }
}
