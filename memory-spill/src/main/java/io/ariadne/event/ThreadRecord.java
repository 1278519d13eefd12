package io.ariadne.event;

import io.ariadne.columnar.buffer.MemoryTier;
import java.util.List;
import java.util.function.Consumer;

/**
 * The diary of one thread: its latest events, whom it works for and what it waits for. Written by
 * that thread alone, read by anybody.
 */
public final class ThreadRecord {
  private static final String STOPPED = "which is not waited for because the work was stopped";

  private static final ThreadLocal<ThreadRecord> CURRENT = new ThreadLocal<>();

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

  /** Returns the calling thread's. */
  public static ThreadRecord current() {
    ThreadRecord record = CURRENT.get();
    if (record == null) {
      record = ThreadRecords.open();
      CURRENT.set(record);
    }
    return record;
  }

  /**
   * Notes whom the thread works for from now on.
   *
   * @param next the owner, or null for nobody
   * @return whom it worked for before, to be given back to this afterwards
   */
  public WorkOwner workFor(WorkOwner next) {
    WorkOwner before = owner;
    owner = next;
    node = -1;
    return before;
  }

  /** Notes for which plan node of its owner the thread works from now on; -1 for none. */
  public void workOn(int planNode) {
    node = planNode;
  }

  /** Returns whom the thread works for, or null. */
  public WorkOwner owner() {
    return owner;
  }

  /** Returns the plan node the thread works for, or -1; by the thread itself. */
  public int node() {
    return node;
  }

  /**
   * Returns what buffers count for that the calling thread asks for now, or null. Threads that have
   * never worked for anybody, such as those that serve other processes, get no diary by this.
   */
  public static MemoryUse memoryUse() {
    ThreadRecord record = CURRENT.get();
    WorkOwner worksFor = record == null ? null : record.owner;
    return worksFor == null ? null : worksFor.memoryUse(record.node);
  }

  /**
   * Says whether the thread may wait when it asks for memory; one that may not is refused at once,
   * because whoever it works for waits without a thread. By the thread itself.
   *
   * @return whether it might before, to be given back to this afterwards
   */
  public boolean mayWait(boolean may) {
    boolean before = mayWait;
    mayWait = may;
    return before;
  }

  /** Returns whether the thread may wait when it asks for memory; by the thread itself. */
  public boolean mayWait() {
    return mayWait;
  }

  /**
   * Says by whose leave the thread works from now on; by the thread itself.
   *
   * @return by whose it did before, to be given back to this afterwards
   */
  public WorkPermit workBy(WorkPermit next) {
    WorkPermit before = permit;
    permit = next;
    return before;
  }

  /** Returns by whose leave the thread works; by the thread itself. */
  public WorkPermit permit() {
    return permit;
  }

  /** Returns what the thread waits for, or null. */
  public Wait currentWait() {
    return wait;
  }

  /**
   * Begins a wait, by the thread itself; to be closed when it is over, whatever came of it. One
   * that can be ended early is at once when the thread's owner is stopped.
   *
   * @param kind for what
   * @param what the same for people: its text is made only when the wait is printed, so that it may
   *     tell of changes and costs nothing before
   * @param bytes how many are waited for, 0 where that has no meaning
   * @param breaker ends the wait early when all stands still, called by another thread with the
   *     reason; null when nobody can
   */
  public Wait await(WaitKind kind, Object what, long bytes, Consumer<String> breaker) {
    Wait begun = new Wait(this, wait, kind, what, bytes, breaker);
    wait = begun;
    WorkOwner waiter = owner;
    if (breaker != null && waiter != null && waiter.isStopped()) {
      // Whoever stopped it may not have seen this wait.
      begun.breakOff(STOPPED);
    }
    return begun;
  }

  /** Ends a wait: an event, and told to the owner unless it was within another wait. */
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
   * Adds an event that began at a time and ends now, by the thread itself.
   *
   * @param kind what it was
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
   * Ends the waits of all threads that work for an owner, where they can be ended; called once the
   * owner is {@link WorkOwner#isStopped stopped}.
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

  /** Returns events so far. */
  long eventCount() {
    return ring.count();
  }

  /** Returns the sums of a kind. */
  EventTotals totals(EventKind kind) {
    return ring.totals(kind);
  }

  /** Returns the events from a number on that are still there. */
  List<Event> eventsSince(long from) {
    return ring.since(from, thread.getName());
  }
}
