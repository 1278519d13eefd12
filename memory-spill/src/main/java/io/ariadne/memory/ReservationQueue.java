package io.ariadne.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The requests that wait for memory in a tree of pools.
 *
 * <p>A thread that frees memory walks the queue and charges on behalf of each request that fits
 * now, so a woken thread already has its bytes. No request overtakes a waiting one for bytes of the
 * pool that refused it, its own or one above. So small requests of other pools do not starve a
 * large one, and a full pool does not hold up its siblings.
 *
 * <p>Reservations that grow come before new ones: they hold memory that the waiting threads need,
 * and their number is bounded.
 */
final class ReservationQueue {
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  /** Size of {@link #waiters}, so that freeing memory takes no lock when no request waits. */
  private volatile int waiterCount;

  private static final class Waiter {
    final MemoryPool pool;
    final long bytes;
    final boolean growing;
    final Condition changed;
    boolean granted;

    /** Why the wait ends early without the bytes; null while the thread waits. */
    String broken;

    /** The pool that was full at the latest attempt; null before the first one. */
    MemoryPool refusedBy;

    Waiter(MemoryPool pool, long bytes, boolean growing, Condition changed) {
      this.pool = pool;
      this.bytes = bytes;
      this.growing = growing;
      this.changed = changed;
    }
  }

  /** Returns the number of waiting requests; a snapshot. */
  int waiterCount() {
    return waiterCount;
  }

  /**
   * Charges at once or not at all; does not overtake requests that wait for the same memory.
   *
   * @param growing whether the request grows a reservation
   */
  boolean tryCharge(MemoryPool pool, long bytes, boolean growing) {
    if (waiterCount == 0) {
      boolean charged = pool.tryCharge(bytes, false) == null;
      if (!charged) {
        wakeUp();
      }
      return charged;
    }
    lock.lock();
    try {
      return !isAwaited(pool, growing) && pool.tryCharge(bytes, false) == null;
    } finally {
      lock.unlock();
    }
  }

  /** Charges, waiting for at most {@code timeoutMillis}; otherwise as {@link #tryCharge}. */
  void charge(MemoryPool pool, String owner, long bytes, boolean growing, long timeoutMillis)
      throws InterruptedException {
    if (tryCharge(pool, bytes, growing)) {
      return;
    }
    for (MemoryPool above = pool; above != null; above = above.parent()) {
      if (bytes > above.limitInBytes()) {
        throw refusal(pool, owner, bytes, "which is more than pool " + above.name() + " may hold");
      }
    }
    lock.lock();
    try {
      Waiter waiter = new Waiter(pool, bytes, growing, lock.newCondition());
      waiters.addLast(waiter);
      waiterCount = waiters.size();
      // Memory freed before the count was seen would otherwise go unnoticed.
      grant();
      if (waiter.refusedBy != null) {
        waiter.refusedBy.tellShortOf(0);
      }
      await(waiter, owner, timeoutMillis);
    } finally {
      lock.unlock();
      // Requests that do not overtake this one may take what it has left.
      pool.tellFreed();
    }
  }

  /** Serves waiting requests; called after memory was freed or a charge was refused. */
  void wakeUp() {
    if (waiterCount == 0) {
      return;
    }
    lock.lock();
    try {
      grant();
    } finally {
      lock.unlock();
    }
  }

  /** Returns bytes that the first request waiting for a pool lacks; 0 when none waits. */
  long shortfall(MemoryPool pool) {
    if (waiterCount == 0) {
      return 0;
    }
    lock.lock();
    try {
      Waiter first = null;
      for (Waiter waiter : waiters) {
        boolean before = first == null || (waiter.growing && !first.growing);
        if (waiter.refusedBy == pool && before) {
          first = waiter;
        }
      }
      long free = pool.limitInBytes() - pool.allocatedBytes();
      return first == null ? 0 : Math.max(0, first.bytes - free);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void await(Waiter waiter, String owner, long timeoutMillis) throws InterruptedException {
    long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    String what = waiter.bytes + " bytes of pool " + waiter.pool.name() + ", wanted by " + owner;
    Consumer<String> breaker = reason -> breakOff(waiter, reason);
    Wait wait = ThreadRecord.current().await(WaitKind.MEMORY, what, waiter.bytes, breaker);
    try {
      while (!waiter.granted && waiter.broken == null && nanos > 0) {
        nanos = waiter.changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      if (waiter.granted) {
        waiter.pool.discharge(waiter.bytes);
      }
      throw e;
    } finally {
      wait.close();
      if (!waiter.granted) {
        waiters.remove(waiter);
        waiterCount = waiters.size();
        // Later requests of the same pool may fit.
        grant();
      }
    }
    if (!waiter.granted) {
      String reason =
          waiter.broken == null
              ? "which was not free within " + timeoutMillis + " ms"
              : waiter.broken;
      throw refusal(waiter.pool, owner, waiter.bytes, reason);
    }
  }

  /** Ends a wait without the bytes; no effect when it has them. */
  private void breakOff(Waiter waiter, String reason) {
    lock.lock();
    try {
      waiter.broken = reason;
      waiter.changed.signal();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void grant() {
    Set<MemoryPool> full = new HashSet<>();
    grant(true, full);
    grant(false, full);
  }

  /** Charges for requests that fit and need no bytes of a full pool; collects full pools. */
  @GuardedBy("lock")
  private void grant(boolean growing, Set<MemoryPool> full) {
    for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
      Waiter waiter = all.next();
      if (waiter.growing != growing || isBelowAny(waiter.pool, full)) {
        continue;
      }
      waiter.refusedBy = waiter.pool.tryCharge(waiter.bytes, false);
      if (waiter.refusedBy != null) {
        full.add(waiter.refusedBy);
        continue;
      }
      waiter.granted = true;
      all.remove();
      waiterCount = waiters.size();
      waiter.changed.signal();
    }
  }

  /** Returns whether a request waits for memory that a new request of this pool would take. */
  @GuardedBy("lock")
  private boolean isAwaited(MemoryPool pool, boolean growing) {
    for (Waiter waiter : waiters) {
      boolean before = waiter.growing || !growing;
      MemoryPool full = waiter.refusedBy == null ? waiter.pool : waiter.refusedBy;
      if (before && (waiter.pool == pool || isBelowAny(pool, Set.of(full)))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a pool or one above it is among some pools. */
  private static boolean isBelowAny(MemoryPool pool, Set<MemoryPool> pools) {
    for (MemoryPool above = pool; above != null; above = above.parent()) {
      if (pools.contains(above)) {
        return true;
      }
    }
    return false;
  }

  private EngineException refusal(MemoryPool pool, String owner, long bytes, String reason) {
    StringBuilder text = new StringBuilder();
    text.append(owner)
        .append(" wants ")
        .append(bytes)
        .append(" bytes in pool ")
        .append(pool.name());
    text.append(", ").append(reason).append("; ").append(waiterCount).append(" others wait");
    for (MemoryPool above = pool; above != null; above = above.parent()) {
      text.append("\n  ").append(above.state());
      for (Reservation open : above.largestReservations()) {
        text.append("\n    reservation ").append(open);
      }
      for (MemoryPool child : above.children()) {
        text.append("\n    child ").append(child.state());
      }
    }
    text.append("\n  ").append(pool.advice());
    return new EngineException(ErrorCode.OUT_OF_MEMORY, text.toString());
  }
}
