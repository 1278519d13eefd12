package io.ariadne.it.suites;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryUsage;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Finds what tests leave behind in the runtime of this process. */
final class LiveBytes {
  /** Tasks that were cut short get so long to end. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);

  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

  private static ExecutorRuntime runtime;
  private static long known;

  private LiveBytes() {}

  /**
   * Returns a report when more bytes are live than when it was last asked about the same runtime,
   * else an empty text.
   */
  static synchronized String newlyLeaked() {
    if (!ProcessRuntime.isStarted()) {
      return "";
    }
    ExecutorRuntime current = ProcessRuntime.get();
    if (current != runtime) {
      runtime = current;
      known = 0;
    }
    long deadline = System.nanoTime() + PATIENCE;
    while (bytes() > known && System.nanoTime() < deadline) {
      LockSupport.parkNanos(PAUSE);
    }
    long live = bytes();
    boolean hasGrown = live > known;
    known = live;
    return hasGrown ? live + " bytes are live: " + runtime.pool().leakReport() : "";
  }

  /** Exchanges that are kept are the shuffle manager's, which forgets them later. */
  private static long bytes() {
    MemoryUsage usage = runtime.memoryUsage();
    return usage.hostBytes()
        + usage.deviceBytes()
        + usage.hostedBytes()
        + usage.diskBytes()
        - MapOutputs.of(runtime).allocatedBytes();
  }
}
