package io.ariadne.spill;

import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkOwner;
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
  /** How often it is tried again. */
  private static final long PAUSE_MILLIS = 2;

  /** How long nothing changes before somebody gives up. */
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long anybody waits: others who go on do not mean that there will be room. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final MemoryPool pool;
  private final Deque<Object> waiters = new ArrayDeque<>();
  private long seenBytes;
  private long changedNanos;

  RoomWaits(MemoryPool pool) {
    this.pool = pool;
  }

  /**
   * Waits until bytes are there or could be made free.
   *
   * @param requestedBytes what was asked for
   * @param makesRoom moves batches again; returns bytes freed
   * @return whether it is worth trying to allocate again
   */
  boolean await(long requestedBytes, LongSupplier makesRoom) {
    Object self = new Object();
    boolean[] broken = {false};
    Wait wait =
        ThreadRecord.current()
            .await(
                WaitKind.MEMORY,
                requestedBytes + " bytes of pool " + pool.name(),
                requestedBytes,
                reason -> {
                  synchronized (this) {
                    broken[0] = true;
                  }
                });
    enter(self);
    try {
      long start = System.nanoTime();
      while (pool.availableBytes() < requestedBytes && makesRoom.getAsLong() == 0) {
        boolean isLate = System.nanoTime() - start > MOST_NANOS;
        if (isLate || isStopped(wait.owner()) || !pause(self, broken)) {
          return false;
        }
      }
      return true;
    } finally {
      leave(self);
      wait.close();
    }
  }

  private static boolean isStopped(WorkOwner owner) {
    return owner != null && owner.isStopped();
  }

  private synchronized void enter(Object self) {
    waiters.addLast(self);
    changedNanos = System.nanoTime();
  }

  private synchronized void leave(Object self) {
    waiters.remove(self);
    changedNanos = System.nanoTime();
  }

  /** Returns whether to go on waiting, after a moment. */
  private boolean pause(Object self, boolean[] broken) {
    if (isOver(self, broken)) {
      return false;
    }
    try {
      Thread.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private synchronized boolean isOver(Object self, boolean[] broken) {
    long now = System.nanoTime();
    if (pool.allocatedBytes() != seenBytes) {
      seenBytes = pool.allocatedBytes();
      changedNanos = now;
    }
    return broken[0] || (now - changedNanos > STALL_NANOS && waiters.peekLast() == self);
  }
}
