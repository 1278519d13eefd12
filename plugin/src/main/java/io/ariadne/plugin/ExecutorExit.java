package io.ariadne.plugin;

import io.ariadne.event.Threads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process so that the cluster manager sees an executor that has failed. Shutdown hooks run
 * for a limited time only: one of them may wait for work that never ends.
 */
final class ExecutorExit {
  /** Not among the statuses that Spark's executors exit with. */
  static final int STATUS = 20;

  /** Longer than stopping the runtime may take. */
  static final long HALT_AFTER_MILLIS = 90_000;

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorExit.class);

  private final long haltAfterMillis;

  ExecutorExit(long haltAfterMillis) {
    this.haltAfterMillis = haltAfterMillis;
  }

  /** Begins to end the process and returns: the calling thread may be one that hooks wait for. */
  void begin() {
    Threads.daemon("ariadne-halt", this::halt).start();
    Threads.daemon("ariadne-exit", () -> System.exit(STATUS)).start();
  }

  private void halt() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(haltAfterMillis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      // One that stays pending would end all pauses.
      Thread.interrupted();
    }
    LOG.error("shutdown hooks have not ended within {} ms, the process halts", haltAfterMillis);
    Runtime.getRuntime().halt(STATUS);
  }
}
