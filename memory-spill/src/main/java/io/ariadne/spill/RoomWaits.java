package io.ariadne.spill;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.memory.MemoryPool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Those whose allocation would be refused although no batch may be moved: they wait for others to
 * free memory, or to put batches where they may be moved. When nothing changes for a while, they
 * wait for each other: the latest to come gives up, the others go on waiting, for a few seconds at
 * most. Who works for something that is no longer wanted gives up at once. Thread-safe.
 */
final class RoomWaits {
  /** How long nothing changes before somebody gives up. */
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long anybody waits: others who go on do not mean that there will be room. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How often it is looked whether the work is still wanted, and whether somebody gives up. */
  private static final long LOOK_MILLIS = 50;

  private final MemoryPool pool;
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

  RoomWaits(MemoryPool pool) {
    this.pool = pool;
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

  /** Notes that a batch may be moved. */
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
        if (!pause(self, start)) {
          return false;
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

  private void changed() {
    leastWanted = waiters.stream().mapToLong(each -> each.wantedBytes).min().orElse(Long.MAX_VALUE);
    changedNanos = System.nanoTime();
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
        if (now - startNanos > MOST_NANOS || (now - changedNanos > STALL_NANOS && isLatest)) {
          return false;
        }
        wait(LOOK_MILLIS);
      }
      self.woken = false;
      return System.nanoTime() - startNanos <= MOST_NANOS;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
