package io.ariadne.rules.filter;

import io.ariadne.bridge.SparkLine;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets stages that make filters be submitted before those that test them, on Spark's driver: Spark
 * runs the tasks of the stage that was submitted first. Thread-safe.
 *
 * <p>Since version 4 Spark submits all stages that can run at the same time, each on a thread of
 * its own. Before, it submits them one after the other, in the order of the plan, and nothing can
 * be done.
 */
public final class StageOrder {
  private static final Logger LOG = LoggerFactory.getLogger(StageOrder.class);

  /** Longer than most broadcasts take, for which the stage that makes a filter may wait. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private static final int MAX_FILTERS = 1000;

  /** By number of the filter; open when its stage is submitted. */
  private static final Map<Long, CountDownLatch> SUBMITTED =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, CountDownLatch> eldest) {
          return size() > MAX_FILTERS;
        }
      };

  private StageOrder() {}

  /** Notes that the stage that makes a filter is submitted, or that there will be no such stage. */
  public static void submitted(long filter) {
    latch(filter).countDown();
  }

  /** Returns whether the stage that makes a filter is submitted, or there will be none. */
  public static boolean isSubmitted(long filter) {
    return latch(filter).getCount() == 0;
  }

  /** Waits until the stage that makes a filter is submitted, for a short time at most. */
  public static void awaitSubmitted(long filter) {
    if (SparkLine.name().equals("3.5")) {
      return;
    }
    try {
      if (!latch(filter).await(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("the stage of runtime filter {} is not submitted yet", filter);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static CountDownLatch latch(long filter) {
    synchronized (SUBMITTED) {
      return SUBMITTED.computeIfAbsent(filter, id -> new CountDownLatch(1));
    }
  }
}
