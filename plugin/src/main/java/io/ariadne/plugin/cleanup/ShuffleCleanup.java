package io.ariadne.plugin.cleanup;

import io.ariadne.event.Threads;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects garbage on Spark's driver when the map outputs of ended queries fill the executors'
 * memory.
 *
 * <p>Spark unregisters a shuffle when the garbage collector finds that no plan refers to it
 * (Spark's {@code ContextCleaner}). A query's plan is garbage soon after its end, but the driver
 * does not know that memory of executors is waiting, and may not collect for minutes. Executors
 * would spill rows to disk that no task reads again. So when a job starts while shuffles that no
 * query uses have more than an eighth of an executor's memory, this collects, within {@link
 * CollectionBudget}.
 *
 * <p>Thread-safe.
 */
public final class ShuffleCleanup extends SparkListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShuffleCleanup.class);

  /** The part of an executor's memory that unused map outputs may have. */
  private static final int SHARE = 8;

  private final IntPredicate exists;
  private final Runnable collector;
  private final LongSupplier heapBytes;
  private final ExecutorService thread;
  private final ShuffleUse use = new ShuffleUse();
  private final CollectionBudget budget = new CollectionBudget(System.nanoTime());

  /** Queries that have started and not ended. */
  private final Set<Long> queries = new HashSet<>();

  private final Map<Integer, Job> jobs = new HashMap<>();

  /** The shuffle of each map stage of a running job. */
  private final Map<Integer, Integer> shuffles = new HashMap<>();

  /** Bytes of memory by executor. */
  private final Map<String, Long> memory = new HashMap<>();

  private boolean isCollecting;

  /**
   * A running job.
   *
   * @param execution the query or job that uses its shuffles
   * @param shuffles its shuffles by their map stages
   */
  private record Job(String execution, Map<Integer, Integer> shuffles) {}

  /**
   * Creates a listener.
   *
   * @param exists whether map outputs of a shuffle are in memory; called by the thread of Spark's
   *     listeners
   */
  public ShuffleCleanup(IntPredicate exists) {
    this(exists, System::gc, ShuffleCleanup::usedHeap);
  }

  ShuffleCleanup(IntPredicate exists, Runnable collector, LongSupplier heapBytes) {
    this.exists = exists;
    this.collector = collector;
    this.heapBytes = heapBytes;
    this.thread = Executors.newSingleThreadExecutor(Threads.daemons("ariadne-shuffle-cleanup"));
  }

  private static long usedHeap() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Records how much memory an executor has for batches. */
  public synchronized void executorStarted(String executor, long bytes) {
    memory.put(executor, bytes);
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    memory.remove(event.executorId());
    use.lost(event.executorId());
  }

  @Override
  public synchronized void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionStart start) {
      queries.add(start.executionId());
    } else if (event instanceof SparkListenerSQLExecutionEnd end) {
      queries.remove(end.executionId());
      use.end(query(end.executionId()));
    }
  }

  @Override
  public synchronized void onJobStart(SparkListenerJobStart event) {
    Job job = new Job(execution(event), shuffles(event));
    jobs.put(event.jobId(), job);
    shuffles.putAll(job.shuffles);
    use.use(job.execution, job.shuffles.values());
    collectIfNeeded();
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd event) {
    Job job = jobs.remove(event.jobId());
    if (job != null) {
      shuffles.keySet().removeAll(job.shuffles.keySet());
      if (job.execution.equals(job(event.jobId()))) {
        use.end(job.execution);
      }
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd event) {
    Integer shuffle = shuffles.get(event.stageId());
    if (shuffle != null && event.taskInfo().successful() && event.taskMetrics() != null) {
      use.written(
          shuffle,
          event.taskInfo().executorId(),
          event.taskMetrics().shuffleWriteMetrics().bytesWritten());
    }
  }

  /** Returns the query of a job; the job itself when its query has ended or it has none. */
  private String execution(SparkListenerJobStart event) {
    Properties properties = event.properties();
    String id = properties == null ? null : properties.getProperty("spark.sql.execution.id");
    return id != null && queries.contains(Long.valueOf(id))
        ? query(Long.parseLong(id))
        : job(event.jobId());
  }

  private static String query(long id) {
    return "query " + id;
  }

  private static String job(int id) {
    return "job " + id;
  }

  private static Map<Integer, Integer> shuffles(SparkListenerJobStart event) {
    Map<Integer, Integer> shuffles = new HashMap<>();
    for (var stages = event.stageInfos().iterator(); stages.hasNext(); ) {
      var stage = stages.next();
      if (stage.shuffleDepId().isDefined()) {
        shuffles.put(stage.stageId(), (Integer) stage.shuffleDepId().get());
      }
    }
    return shuffles;
  }

  private void collectIfNeeded() {
    Map<String, Long> unused = use.unusedBytes(exists);
    if (!thread.isShutdown()
        && !isCollecting
        && isAnyFull(unused)
        && budget.allows(System.nanoTime(), heapBytes.getAsLong())) {
      isCollecting = true;
      use.collected();
      long sum = unused.values().stream().mapToLong(Long::longValue).sum();
      thread.execute(() -> collect(sum));
    }
  }

  /** Returns whether unused map outputs have more than their part of an executor's memory. */
  private boolean isAnyFull(Map<String, Long> unused) {
    return memory.entrySet().stream()
        .anyMatch(each -> unused.getOrDefault(each.getKey(), 0L) > each.getValue() / SHARE);
  }

  private void collect(long unused) {
    long start = System.nanoTime();
    try {
      collector.run();
    } finally {
      long end = System.nanoTime();
      synchronized (this) {
        isCollecting = false;
        budget.spent(end, end - start);
      }
      LOG.info(
          "garbage collection of {} ms for {} MiB of map outputs that no query uses",
          (end - start) / 1_000_000,
          unused >> 20);
    }
  }

  /** Returns whether a collection has been started and has not ended. */
  synchronized boolean isCollecting() {
    return isCollecting;
  }

  /** Stops; a collection that has begun continues. */
  @Override
  public synchronized void close() {
    thread.shutdown();
  }
}
