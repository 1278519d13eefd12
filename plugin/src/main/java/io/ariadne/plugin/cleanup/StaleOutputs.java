package io.ariadne.plugin.cleanup;

import io.ariadne.event.Threads;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees map outputs of shuffles that Spark has unregistered without this executor's knowledge:
 * Spark does not tell executors that it considers lost, and a map task of a cancelled job may begin
 * after its shuffle was unregistered. An executor asks the driver about shuffles of which it has
 * had outputs for a while. Thread-safe.
 */
public final class StaleOutputs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StaleOutputs.class);

  private final MapOutputs outputs;
  private final Driver driver;
  private final IntConsumer dropped;
  private final ScheduledExecutorService thread;

  /** Attempts that had rows here at the last check, by their shuffles; only of the thread. */
  private Map<Integer, Set<Long>> last = Map.of();

  /** What Spark's driver knows. */
  @FunctionalInterface
  public interface Driver {
    /**
     * Returns those of some shuffles that are not registered.
     *
     * @throws IOException when the driver does not answer
     */
    Set<Integer> unregistered(Set<Integer> shuffles) throws IOException;
  }

  /**
   * Creates an object that checks only when it is told to.
   *
   * @param outputs of the process
   * @param driver answers which shuffles exist
   * @param dropped learns which shuffles were dropped
   */
  StaleOutputs(MapOutputs outputs, Driver driver, IntConsumer dropped) {
    this.outputs = outputs;
    this.driver = driver;
    this.dropped = dropped;
    ScheduledThreadPoolExecutor one =
        new ScheduledThreadPoolExecutor(1, Threads.daemons("ariadne-stale-outputs"));
    one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    one.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    this.thread = one;
  }

  /**
   * Begins to check at intervals.
   *
   * @param outputs of the process
   * @param driver answers which shuffles exist
   * @param dropped learns which shuffles were dropped
   * @param interval between two checks; outputs are asked about when they are older
   */
  public static StaleOutputs start(
      MapOutputs outputs, Driver driver, IntConsumer dropped, Duration interval) {
    StaleOutputs stale = new StaleOutputs(outputs, driver, dropped);
    long millis = interval.toMillis();
    var unused =
        stale.thread.scheduleWithFixedDelay(
            stale::checkLogged, millis, millis, TimeUnit.MILLISECONDS);
    return stale;
  }

  private void checkLogged() {
    try {
      check();
    } catch (IOException | RuntimeException e) {
      LOG.warn("cannot check whether map outputs are still needed; the next check may", e);
    }
  }

  /** Asks about the outputs that were there at the last check, and drops the stale ones. */
  void check() throws IOException {
    Map<Integer, Set<Long>> now = outputs.attempts();
    Map<Integer, Set<Long>> old = new HashMap<>();
    now.forEach(
        (shuffle, attempts) -> {
          Set<Long> both = new HashSet<>(attempts);
          both.retainAll(last.getOrDefault(shuffle, Set.of()));
          if (!both.isEmpty()) {
            old.put(shuffle, both);
          }
        });
    last = now;
    if (old.isEmpty()) {
      return;
    }
    for (int shuffle : driver.unregistered(old.keySet())) {
      // Only these attempts: the shuffle may be registered again, and have others, meanwhile.
      old.getOrDefault(shuffle, Set.of()).forEach(attempt -> outputs.forget(shuffle, attempt));
      dropped.accept(shuffle);
      LOG.info("dropped map outputs of shuffle {}, which Spark has unregistered", shuffle);
    }
  }

  /** Stops checking. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
