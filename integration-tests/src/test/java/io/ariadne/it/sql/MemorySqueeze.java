package io.ariadne.it.sql;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import java.util.Random;

/**
 * Takes all memory of the runtime that is free again and again for some milliseconds, as other
 * tasks of an executor would: allocations fail at any place, and queries must not.
 */
final class MemorySqueeze implements AutoCloseable {
  /** Nobody who waits for memory gives up within this time. */
  private static final int LONGEST_MILLIS = 30;

  private static final int GRANULE = 4096;

  private final Random random;
  private final Thread thread;
  private volatile boolean stopped;

  private MemorySqueeze(long seed) {
    this.random = new Random(seed);
    this.thread = new Thread(this::squeeze, "memory-squeeze");
    this.thread.setDaemon(true);
  }

  /** Starts to take memory of the runtime that is there now. */
  static MemorySqueeze start(long seed) {
    MemorySqueeze squeeze = new MemorySqueeze(seed);
    squeeze.thread.start();
    return squeeze;
  }

  private void squeeze() {
    MemoryPool pool = ProcessRuntime.get().pool();
    try {
      while (!stopped) {
        long left = (long) GRANULE * random.nextInt(64);
        Reservation taken = pool.tryReserve("squeeze", Math.max(0, pool.availableBytes() - left));
        if (taken != null) {
          try (taken) {
            Thread.sleep(random.nextInt(LONGEST_MILLIS));
          }
        }
        Thread.sleep(random.nextInt(LONGEST_MILLIS));
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Gives everything back. */
  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.join();
  }
}
