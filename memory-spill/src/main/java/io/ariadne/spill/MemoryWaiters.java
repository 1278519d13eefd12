package io.ariadne.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkPermit;
import io.ariadne.memory.MemoryPool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Those whose allocation would be refused although no batch may be moved: they wait for others to
 * free memory, or to put batches where they may be moved. When nothing changes for a while, they
 * wait for each other: the latest to come gives up, the others go on waiting, for a few seconds at
 * most. Who works for something that is no longer wanted gives up at once. Thread-safe.
 */
final class MemoryWaiters {
  /** How often it is looked whether the work is still wanted, and whether somebody gives up. */
  private static final long MOST_LOOK_MILLIS = 50;

  private final MemoryPool pool;
  private final long stallNanos;
  private final long mostNanos;
  private final long lookMillis;

  @GuardedBy("this")
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  /** The least that anybody waits for; the most when nobody does. */
  private volatile long leastWanted = Long.MAX_VALUE;

  private volatile long changedNanos;

  /** One who waits; the monitor of the waits guards it. */
  private static final class Waiter {
    final long wantedBytes;

    /** Something has come to rest, or enough is free. */
    boolean woken;

    /** Why the wait ends without room; null while it does not. */
    String broken;

    Waiter(long wantedBytes) {
      this.wantedBytes = wantedBytes;
    }
  }

  MemoryWaiters(MemoryPool pool, WaitTimes times) {
    this.pool = pool;
    this.stallNanos = times.stall().toNanos();
    this.mostNanos = times.most().toNanos();
    this.lookMillis = Math.max(1, Math.min(MOST_LOOK_MILLIS, times.stall().toMillis()));
  }

  /** Notes that memory has become free; called often, and does nothing when nobody waits. */
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

  /** Notes that a batch may be moved, or memory in use put away that was used until now. */
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
   * Waits until bytes are there or could be made free.
   *
   * @param requestedBytes what was asked for
   * @param makesRoom moves batches again; returns bytes freed
   * @return whether it is worth trying to allocate again
   * @throws EngineException OUT_OF_MEMORY with the reason when somebody else has ended the wait
   */
  boolean await(long requestedBytes, LongSupplier makesRoom) {
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
      while (pool.availableBytes() < requestedBytes && makesRoom.getAsLong() == 0) {
        if (!pauseWithoutPermit(self, start)) {
          // Not all that makes room is told: whoever is refused has looked last of all.
          return makesRoom.getAsLong() > 0 || pool.availableBytes() >= requestedBytes;
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

  /** Pauses while others may work instead: it may be their work that makes room. */
  private boolean pauseWithoutPermit(Waiter self, long startNanos) {
    WorkPermit permit = ThreadRecord.current().permit();
    permit.giveBack();
    try {
      return pause(self, startNanos);
    } finally {
      permit.takeAgain();
    }
  }

  /** Returns whether to go on waiting, when something has changed. */
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
        wait(lookMillis);
      }
      self.woken = false;
      return System.nanoTime() - startNanos <= mostNanos;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
