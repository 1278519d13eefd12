package io.ariadne.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.memory.MemoryPool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Threads whose allocation does not fit into the pool while no batch may be moved. They wait until
 * other threads free memory or add batches that may be moved. If nothing changes for a while, the
 * threads are taken to wait for each other: the thread that began to wait last gives up, and the
 * others wait on. No thread waits longer than a few seconds in all. A thread whose work is no
 * longer wanted gives up at once. Thread-safe.
 */
final class MemoryWaiters {
  /** Longest interval after which a waiting thread checks whether to give up. */
  private static final long MOST_CHECK_MILLIS = 50;

  private final MemoryPool pool;
  private final long stallNanos;
  private final long mostNanos;
  private final long checkMillis;

  @GuardedBy("this")
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  /** The smallest request of a waiting thread; {@link Long#MAX_VALUE} when no thread waits. */
  private volatile long leastWanted = Long.MAX_VALUE;

  private volatile long changedNanos;

  /** A waiting thread; guarded by the monitor of the {@link MemoryWaiters}. */
  private static final class Waiter {
    final long wantedBytes;

    /** Whether a batch may be moved now, or enough memory is free. */
    boolean woken;

    /** Why the wait ends without memory; null while the thread waits. */
    String broken;

    Waiter(long wantedBytes) {
      this.wantedBytes = wantedBytes;
    }
  }

  MemoryWaiters(MemoryPool pool, WaitTimes times) {
    this.pool = pool;
    this.stallNanos = times.stall().toNanos();
    this.mostNanos = times.most().toNanos();
    this.checkMillis = Math.max(1, Math.min(MOST_CHECK_MILLIS, times.stall().toMillis()));
  }

  /** Notes that memory has become free; called often, and does nothing when no thread waits. */
  void freed() {
    long least = leastWanted;
    if (least == Long.MAX_VALUE) {
      return;
    }
    changedNanos = System.nanoTime();
    if (pool.availableBytes() >= least) {
      wakeAll();
    }
  }

  /** Notes that a batch may be moved, or revocable memory is no longer in use. */
  void mayMove() {
    if (leastWanted != Long.MAX_VALUE) {
      changedNanos = System.nanoTime();
      wakeAll();
    }
  }

  private synchronized void wakeAll() {
    waiters.forEach(each -> each.woken = true);
    notifyAll();
  }

  /**
   * Waits until the requested bytes are free or some bytes could be freed.
   *
   * @param requestedBytes bytes of the allocation
   * @param evict moves batches; returns bytes freed
   * @return whether the allocation may succeed now
   * @throws EngineException OUT_OF_MEMORY with the reason when the watchdog or the owner of the
   *     work has ended the wait
   */
  boolean await(long requestedBytes, LongSupplier evict) {
    if (!ThreadRecord.current().mayWait()) {
      return false;
    }
    Waiter self = new Waiter(requestedBytes);
    Wait wait =
        ThreadRecord.current()
            .await(
                WaitKind.MEMORY,
                requestedBytes + " bytes of pool " + pool.name(),
                requestedBytes,
                reason -> breakOff(self, reason));
    enter(self);
    try {
      long start = System.nanoTime();
      while (pool.availableBytes() < requestedBytes && evict.getAsLong() == 0) {
        if (!pauseWithoutPermit(self, start)) {
          // Not every change is reported: look once more before the refusal.
          return evict.getAsLong() > 0 || pool.availableBytes() >= requestedBytes;
        }
      }
      return true;
    } finally {
      leave(self);
      wait.close();
    }
  }

  private synchronized void breakOff(Waiter waiter, String reason) {
    waiter.broken = reason;
    notifyAll();
  }

  private synchronized void enter(Waiter self) {
    waiters.addLast(self);
    changed();
  }

  private synchronized void leave(Waiter self) {
    waiters.remove(self);
    changed();
  }

  @GuardedBy("this")
  private void changed() {
    leastWanted = waiters.stream().mapToLong(each -> each.wantedBytes).min().orElse(Long.MAX_VALUE);
    changedNanos = System.nanoTime();
  }

  /** Pauses without the work permit: the work of other threads may free memory. */
  private boolean pauseWithoutPermit(Waiter self, long startNanos) {
    return ThreadRecord.current().withoutPermit(() -> pause(self, startNanos));
  }

  /** Waits for a change; returns false when the thread gives up. */
  private synchronized boolean pause(Waiter self, long startNanos) {
    try {
      while (!self.woken) {
        if (self.broken != null) {
          throw new EngineException(
              ErrorCode.OUT_OF_MEMORY, "the wait for memory was ended: " + self.broken);
        }
        long now = System.nanoTime();
        boolean isLatest = waiters.peekLast() == self;
        if (now - startNanos > mostNanos || (now - changedNanos > stallNanos && isLatest)) {
          return false;
        }
        wait(checkMillis);
      }
      self.woken = false;
      return System.nanoTime() - startNanos <= mostNanos;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
