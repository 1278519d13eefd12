package io.ariadne.plugin.network;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * An application for administrators: measures how map outputs move between the executors of a
 * cluster, and prints a line per pair as soon as it is measured. Started by {@code spark-submit}
 * with the cluster's settings.
 */
public final class NetworkCheck {
  /** The executors are complete when there are some and none has come for so long. */
  private static final Duration SETTLED = Duration.ofSeconds(10);

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(200);

  private NetworkCheck() {}

  /** Runs the check; an argument is the number of megabytes per pair. */
  public static void main(String[] arguments) {
    long bytes = arguments.length > 0 ? megabytes(arguments[0]) : PairProbe.DEFAULT_BYTES;
    JavaSparkContext context =
        new JavaSparkContext(
            SparkContext.getOrCreate(
                new SparkConf()
                    .setAppName("Ariadne network check")
                    .set("spark.dynamicAllocation.enabled", "false") // for the barrier stage
                    .set("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "1")
                    .set("spark.shuffle.io.maxRetries", "0")
                    .set("spark.shuffle.io.connectionCreationTimeout", "5s")));
    List<PairResult> results = new ArrayList<>();
    boolean isComplete = false;
    try {
      isComplete = measure(context, bytes, results);
    } finally {
      if (isComplete || !results.isEmpty()) {
        System.out.print(NetworkReport.of(results).advice());
      }
      context.stop();
    }
  }

  private static long megabytes(String text) {
    try {
      long count = Long.parseLong(text);
      if (count > 0 && count <= PairProbe.MAX_MEGABYTES) {
        return count * PairProbe.MEGA;
      }
    } catch (NumberFormatException e) {
      // The message below has it.
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a number of megabytes from 1 to " + PairProbe.MAX_MEGABYTES);
  }

  /** Waits for executors until no more are added, and returns how many tasks run at once. */
  private static int slots(SparkContext context) {
    long start = System.nanoTime();
    long lastChange = start;
    int executors = 0;
    while (executors == 0 || System.nanoTime() - lastChange < SETTLED.toNanos()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        break;
      }
      LockSupport.parkNanos(POLL.toNanos());
      int now = context.getExecutorIds().size();
      if (now != executors) {
        executors = now;
        lastChange = System.nanoTime();
      }
    }
    if (executors == 0) {
      throw new IllegalStateException(
          "the cluster has started no executor for " + PATIENCE.toSeconds() + " s");
    }
    System.out.println(executors + " executors");
    return slotsNow(context);
  }

  private static int slotsNow(SparkContext context) {
    return context.maxNumConcurrentTasks(context.resourceProfileManager().defaultResourceProfile());
  }

  /**
   * Measures every pair, as many at the same time as there are executors, and prints the lines of
   * each such round when it is over. Ends when an executor is lost.
   *
   * @param results takes what is measured
   * @return whether all pairs are measured
   */
  private static boolean measure(JavaSparkContext context, long bytes, List<PairResult> results) {
    int slots = slots(context.sc());
    int executors = 1;
    for (int round = 1; round == 1 || round < executors; round++) {
      List<PairResult> measured = measure(context, slots, new PairProbe(bytes, round));
      if (measured == null || (round > 1 && measured.size() != executors)) {
        System.out.println("Executors have come or gone: the check ends here. Run it again.");
        return false;
      }
      if (round == 1) {
        executors = measured.size();
        System.out.print(executors == 0 ? "" : NetworkReport.header());
      }
      measured.forEach(pair -> System.out.print(NetworkReport.line(pair)));
      System.out.flush();
      results.addAll(measured);
    }
    return true;
  }

  /**
   * Measures one pair of each executor; returns null when an executor is lost: Spark would wait for
   * slots for all tasks without end.
   */
  private static List<PairResult> measure(JavaSparkContext context, int slots, PairProbe probe) {
    SparkContext spark = context.sc();
    if (slotsNow(spark) < slots) {
      return null;
    }
    int executors = spark.getExecutorIds().size();
    ClassTag<PairResult> tag = ClassTag$.MODULE$.apply(PairResult.class);
    // A barrier stage starts all its tasks at the same time, so that every executor has some.
    var measured =
        context
            .parallelize(IntStream.range(0, slots).boxed().toList(), slots)
            .rdd()
            .barrier()
            .mapPartitions(probe, false, tag);
    JavaFutureAction<List<PairResult>> results = new JavaRDD<>(measured, tag).collectAsync();
    while (spark.getExecutorIds().size() >= executors) {
      try {
        return results.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        // They are still measuring.
      } catch (ExecutionException e) {
        throw new IllegalStateException("the check has failed: " + e.getCause(), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("the check is cancelled", e);
      }
    }
    results.cancel(true);
    return null;
  }
}
