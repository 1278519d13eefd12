package io.ariadne.plugin;

import io.ariadne.event.Threads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exits the process, so that the cluster manager sees a failed executor. Halts it when the shutdown
 * hooks take too long, because a hook may wait for work that never ends.
 */
final class ExecutorExit {
  /** The exit status. Spark's executors exit with other statuses. */
  static final int STATUS = 20;

  /** Longer than the runtime needs to stop. */
  static final long HALT_AFTER_MILLIS = 90_000;

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorExit.class);

  private final long haltAfterMillis;

  ExecutorExit(long haltAfterMillis) {
    this.haltAfterMillis = haltAfterMillis;
  }

  /** Starts the exit and returns, because shutdown hooks may wait for the calling thread. */
  void begin() {
    Threads.daemon("ariadne-halt", this::halt).start();
    Threads.daemon("ariadne-exit", () -> System.exit(STATUS)).start();
  }

  private void halt() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(haltAfterMillis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      // A pending interrupt would end every further pause.
      Thread.interrupted();
    }
    LOG.error("shutdown hooks did not finish within {} ms; halting the process", haltAfterMillis);
    Runtime.getRuntime().halt(STATUS);
  }
}
