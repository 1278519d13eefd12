package io.ariadne.rules.partial;

import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.bridge.query.InputPartitions;
import io.ariadne.bridge.query.QuerySession;
import io.ariadne.error.EngineException;
import io.ariadne.rules.scan.CoarsePartitions;
import io.ariadne.shuffle.spark.InMemoryShuffleManager;
import io.ariadne.shuffle.strategy.InputRounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Executes an aggregation in rounds. Each round reads some partitions of the input and yields the
 * result of everything read so far.
 *
 * <p>Map tasks of a round aggregate their partitions and write the groups to a shuffle. The tasks
 * that compute the result read the shuffles of all rounds so far. When these have more groups than
 * the <i>state</i>, the combined groups of earlier rounds, has, tasks combine all of them to a new
 * state first, which is another shuffle: its map task of a partition writes that partition only, so
 * its rows stay in the process where the next tasks read them. So each group is combined a few
 * times, and the number of stages per round stays small.
 *
 * <p>{@link #next} may be called by one thread; {@link #close} by any, to cancel a running round.
 */
public final class QueryRounds implements AutoCloseable {
  /** Of the order of partitions; the same for every query, so that results can be repeated. */
  private static final long SEED = 20;

  /** Groups of so many rows are not combined before they are read: that costs a stage. */
  static final long FEW_ROWS = 40_000;

  /** Tasks read so many shuffles at the most. */
  private static final int MOST_SHUFFLES = 16;

  /** How often a round that does not end is cancelled again. */
  private static final long CANCEL_MILLIS = 50;

  private final QuerySession session;
  private final SparkContext context;

  /** Null if {@link #known} is not. */
  private final RoundPlans plans;

  /** The plan of a query whose rows Spark knows without reading anything, else null. */
  private final SparkPlan known;

  private final InputRounds rounds;
  private final long[] weights;
  private final RoundShuffles shuffles;
  private final String tag = "ariadne-partial-results-" + UUID.randomUUID();
  private final ReentrantLock lock = new ReentrantLock();

  /** The exchanges with all groups so far; the first one is the state if there is one. */
  private List<AriadneShuffleExchangeExec> exchanges = new ArrayList<>();

  private boolean hasState;
  private int nextRound;
  private volatile boolean isClosed;

  /**
   * The result of a round.
   *
   * @param number of the round, from 1
   * @param count of all rounds
   * @param share of the input that has been read, in bytes of files if it is files, else in
   *     partitions; 1 in the last round
   * @param rows the result over that share, in the order that the query asks for
   */
  public record Result(int number, int count, double share, List<Row> rows) {}

  private QueryRounds(QuerySession session, RoundPlans plans, SparkPlan known, InputRounds rounds) {
    this.session = session;
    this.context = session.sparkContext();
    this.plans = plans;
    this.known = known;
    this.rounds = rounds;
    this.weights = plans == null ? new long[0] : weights(plans.input());
    this.shuffles = new RoundShuffles(context);
  }

  /**
   * Plans a query. Executes what its first task needs: broadcasts and subqueries.
   *
   * @param dataset an aggregation, with any projections, filters, sorts and limits above it
   * @param rounds the most rounds, at least 1; there are fewer when the input has too few
   *     partitions for one task per task slot and round
   * @throws EngineException UNSUPPORTED if the query cannot be executed in rounds, with the reason
   */
  public static QueryRounds of(Dataset<?> dataset, int rounds) {
    if (rounds < 1) {
      throw new IllegalArgumentException(rounds + " rounds");
    }
    if (!(SparkEnv.get().shuffleManager() instanceof InMemoryShuffleManager)) {
      throw Unsupported.query(
          "the shuffle manager is not Ariadne's",
          "set spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager");
    }
    int slots = CoarsePartitions.slots(dataset.queryExecution().sparkSession().sparkContext());
    QuerySession session =
        new QuerySession(
            dataset,
            dataset.queryExecution().sparkSession().cloneSession(),
            settings(rounds, slots));
    if (session.isStreaming()) {
      throw Unsupported.query("it reads a stream", "read its results by a streaming query");
    }
    return session.active(() -> of(session, rounds, slots));
  }

  private static QueryRounds of(QuerySession session, int rounds, int slots) {
    SparkPlan plan = session.plan();
    if (session.isAggregation() && plan instanceof LocalTableScanExec) {
      // Spark has found that the input is empty.
      return new QueryRounds(session, null, session.prepare(plan), InputRounds.of(0, 1, 1, SEED));
    }
    RoundPlans plans = RoundPlans.of(session, SplitAggregation.of(plan, slots));
    int partitions = plans.input().getNumPartitions();
    return new QueryRounds(session, plans, null, InputRounds.of(partitions, rounds, slots, SEED));
  }

  /** The input has a task per task slot and round; groups are in as many partitions as slots. */
  private static Map<String, String> settings(int rounds, int slots) {
    return Map.of(
        "spark.sql.adaptive.enabled",
        "false",
        "spark.sql.shuffle.partitions",
        String.valueOf(slots),
        "spark.sql.leafNodeDefaultParallelism",
        String.valueOf((int) Math.min((long) rounds * slots, Integer.MAX_VALUE)));
  }

  private static long[] weights(RDD<ColumnarBatch> input) {
    long[] ones = new long[input.getNumPartitions()];
    Arrays.fill(ones, 1);
    return InputPartitions.bytes(input).orElse(ones);
  }

  /** Returns whether there is another round. */
  public boolean hasNext() {
    return !isClosed && nextRound < rounds.rounds().size();
  }

  /**
   * Executes the next round. After an exception all state is freed.
   *
   * @throws NoSuchElementException when there is none
   * @throws IllegalStateException when this is closed
   */
  public Result next() {
    lock.lock();
    try {
      if (isClosed) {
        throw new IllegalStateException("partial results are closed");
      }
      if (!hasNext()) {
        throw new NoSuchElementException("all " + nextRound + " rounds have ended");
      }
      return run();
    } finally {
      lock.unlock();
    }
  }

  private Result run() {
    boolean isDone = false;
    context.addJobTag(tag);
    try {
      Result result = session.active(() -> round(nextRound));
      nextRound++;
      isDone = true;
      return result;
    } finally {
      context.removeJobTag(tag);
      if (!isDone) {
        free();
      } else if (nextRound == rounds.rounds().size()) {
        removeAll();
      }
    }
  }

  private Result round(int index) {
    int number = index + 1;
    int count = rounds.rounds().size();
    if (known != null) {
      return new Result(number, count, 1, session.collect(label(number, count), known));
    }
    Set<Integer> partitions = new HashSet<>(rounds.rounds().get(index));
    RDD<ColumnarBatch> input = InputPartitions.chosen(plans.input(), partitions);
    List<AriadneShuffleExchangeExec> all = new ArrayList<>(exchanges);
    all.add(added(plans.round(number, input)));
    boolean combines = number < count && isToCombine();
    List<AriadneShuffleExchangeExec> read = combines ? List.of(added(plans.state(all))) : all;
    List<Row> rows = collect(label(number, count), plans.result(read));
    hasState |= combines;
    exchanges = new ArrayList<>(read);
    freeUnused();
    return new Result(number, count, share(number), rows);
  }

  /** Executes a plan; also when it fails, what its exchanges have written is known afterwards. */
  private List<Row> collect(String label, SparkPlan plan) {
    try {
      return session.collect(label, plan);
    } finally {
      BegunShuffles.of(plan).forEach(shuffles::add);
    }
  }

  private static String label(int number, int count) {
    return "partial result, round %d of %d".formatted(number, count);
  }

  private AriadneShuffleExchangeExec added(AriadneShuffleExchangeExec exchange) {
    shuffles.add(exchange.shuffleId());
    return exchange;
  }

  private boolean isToCombine() {
    if (exchanges.size() < 2) {
      return false;
    }
    long state = hasState ? rows(exchanges.get(0)) : 0;
    long others = exchanges.stream().mapToLong(QueryRounds::rows).sum() - state;
    return others > Math.max(state, FEW_ROWS) || exchanges.size() >= MOST_SHUFFLES;
  }

  private static long rows(AriadneShuffleExchangeExec exchange) {
    return exchange.runtimeStatistics().rowCount().get().longValue();
  }

  /** Frees what the next round does not read. */
  private void freeUnused() {
    Set<Integer> read = sharedShuffles();
    exchanges.forEach(exchange -> read.add(exchange.shuffleId()));
    shuffles.retain(read);
  }

  /** Returns the shuffles that all rounds read: of broadcasts, subqueries and joined inputs. */
  private Set<Integer> sharedShuffles() {
    Set<Integer> shared = new HashSet<>();
    if (plans != null) {
      plans.shared().forEach(plan -> shared.addAll(BegunShuffles.of(plan)));
    }
    return shared;
  }

  private double share(int number) {
    long all = 0;
    long read = 0;
    for (int i = 0; i < rounds.rounds().size(); i++) {
      for (int partition : rounds.rounds().get(i)) {
        all += weights[partition];
        read += i < number ? weights[partition] : 0;
      }
    }
    return number == rounds.rounds().size() || all == 0 ? 1 : (double) read / all;
  }

  /** Cancels a running round, waits for its end, and frees all state. Repeated calls do nothing. */
  @Override
  public void close() {
    boolean isInterrupted = cancelAndLock();
    try {
      free();
    } finally {
      lock.unlock();
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Takes the lock, and cancels until it has it: Spark does not cancel the job that a round has not
   * begun yet, because it is still being planned, or runs another one before.
   *
   * @return whether this thread was interrupted meanwhile
   */
  private boolean cancelAndLock() {
    boolean isInterrupted = false;
    boolean isLocked = false;
    while (!isLocked) {
      cancel();
      try {
        isLocked = lock.tryLock(CANCEL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    return isInterrupted;
  }

  private void cancel() {
    isClosed = true;
    if (!context.isStopped()) {
      context.cancelJobsWithTag(tag);
    }
  }

  private void free() {
    cancel();
    removeAll();
  }

  private void removeAll() {
    exchanges = List.of();
    sharedShuffles().forEach(shuffles::add);
    shuffles.removeAll();
  }
}
