package io.ariadne.benchmark.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Option;
import scala.runtime.AbstractFunction0;

/** Spark with or without a plugin; only the settings differ. */
final class SparkQueryEngine implements QueryEngine {
  private final SparkSession session;
  private final boolean isInspected;
  private final ShuffleCounters shuffles = new ShuffleCounters();
  private final int executors;
  private String lastWhole = "";
  private long lastWholeNanos;
  private SparkPlan lastExecuted;
  private RoundsRun lastRounds;

  /**
   * Starts Spark.
   *
   * @param isInspected whether the classes of its plugin are those of this build, which tell its
   *     memory and its device
   * @param executors processes that execute tasks; 0 when this one does
   */
  SparkQueryEngine(
      Map<String, String> settings,
      boolean isInspected,
      int executors,
      Map<String, String> tables) {
    this.isInspected = isInspected;
    this.executors = executors;
    SparkSession.Builder builder = SparkSession.builder().appName("ariadne-benchmark");
    settings.forEach(builder::config);
    session = builder.getOrCreate();
    session.sparkContext().setLogLevel("WARN");
    session.sparkContext().addSparkListener(shuffles);
    tables.forEach((name, folder) -> session.read().parquet(folder).createOrReplaceTempView(name));
  }

  @Override
  public void prepare() throws InterruptedException {
    if (executors > 0) {
      ExecutorLoss.awaitExecutors(session.sparkContext(), executors);
    }
  }

  @Override
  public List<Object[]> run(String sql) throws Exception {
    if (sql.startsWith(LOSE)) {
      return runWithLoss(sql.substring(LOSE.length()));
    }
    long start = System.nanoTime();
    List<Object[]> rows = runWhole(sql);
    lastWhole = sql;
    lastWholeNanos = System.nanoTime() - start;
    return rows;
  }

  private List<Object[]> runWithLoss(String sql) throws Exception {
    if (executors == 0 || !lastWhole.equals(sql)) {
      throw new IllegalStateException(
          "to lose an executor, a query needs --executors and a run before without a loss: " + sql);
    }
    try (ExecutorLoss loss = new ExecutorLoss(lastWholeNanos / 2)) {
      List<Object[]> rows = runWhole(sql);
      if (!loss.isKilled()) {
        throw new IllegalStateException("no executor was killed before the query ended: " + sql);
      }
      return rows;
    }
  }

  private List<Object[]> runWhole(String sql) throws TimeoutException {
    shuffles.reset();
    lastRounds = null;
    Dataset<Row> dataset = session.sql(sql);
    if (sql.startsWith(DRAIN)) {
      return List.<Object[]>of(new Object[] {drain(dataset.queryExecution())});
    }
    if (sql.startsWith(WRITE)) {
      dataset.write().format("noop").mode("overwrite").save();
      lastExecuted = dataset.queryExecution().executedPlan();
      return List.<Object[]>of(new Object[] {0L});
    }
    if (sql.startsWith(PARQUET)) {
      int end = sql.indexOf(PARQUET_END);
      write(dataset, sql.substring(PARQUET.length(), end));
      return List.<Object[]>of(new Object[] {0L});
    }
    if (sql.startsWith(ROUNDS)) {
      return runRounds(sql);
    }
    List<Object[]> rows = values(Arrays.asList((Row[]) dataset.collect()));
    lastExecuted = dataset.queryExecution().executedPlan();
    return rows;
  }

  private List<Object[]> runRounds(String sql) {
    int end = sql.indexOf(ROUNDS_END);
    Dataset<Row> dataset = session.sql(sql.substring(end + ROUNDS_END.length()));
    lastRounds =
        new RoundsRun(dataset, Integer.parseInt(sql.substring(ROUNDS.length(), end).trim()));
    lastExecuted = dataset.queryExecution().executedPlan();
    return values(lastRounds.rows());
  }

  private static List<Object[]> values(List<Row> collected) {
    List<Object[]> rows = new ArrayList<>(collected.size());
    for (Row row : collected) {
      Object[] values = new Object[row.length()];
      for (int i = 0; i < values.length; i++) {
        values[i] = row.get(i);
      }
      rows.add(values);
    }
    return rows;
  }

  private void write(Dataset<Row> dataset, String folder) throws TimeoutException {
    if (folder.startsWith("s3a:")) {
      String protocol = DirectCommitProtocol.class.getName();
      session.conf().set("spark.sql.sources.commitProtocolClass", protocol);
    }
    // Registered for this write only: what has a plan keeps its map outputs in memory.
    WrittenPlan written = new WrittenPlan();
    session.listenerManager().register(written);
    try {
      dataset
          .write()
          .option("compression", "uncompressed")
          .mode(SaveMode.ErrorIfExists)
          .parquet(folder);
      session.sparkContext().listenerBus().waitUntilEmpty(); // the plan is reported late
      lastExecuted = written.plan();
    } finally {
      session.listenerManager().unregister(written);
    }
  }

  /** Computes every row, in an execution of its own as for an action, and returns their number. */
  private long drain(QueryExecution execution) {
    return SQLExecution.withNewExecutionId(
        execution,
        Option.apply("drain"),
        new AbstractFunction0<Long>() {
          @Override
          public Long apply() {
            lastExecuted = execution.executedPlan();
            return execution.toRdd().count();
          }
        });
  }

  @Override
  public Placement lastPlacement() {
    PlanCounter counter = new PlanCounter(lastExecuted);
    return new Placement(counter.accelerated(), counter.operators());
  }

  @Override
  public Map<String, Long> lastScan() {
    return ScanCounters.of(lastExecuted);
  }

  @Override
  public List<Map<String, Object>> lastRounds() {
    return lastRounds == null ? List.of() : lastRounds.report();
  }

  @Override
  public Map<String, String> versions() {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("spark", session.version());
    return versions;
  }

  @Override
  public String lastPlan() {
    return lastExecuted.toString();
  }

  @Override
  public Explanation explain(String sql) {
    return AriadneInspection.explain(session.sql(sql).queryExecution().executedPlan());
  }

  @Override
  public Map<String, Long> lastShuffle() throws TimeoutException {
    session.sparkContext().listenerBus().waitUntilEmpty(); // tasks are reported late
    return shuffles.sums();
  }

  @Override
  public EngineState state() {
    if (!isInspected) {
      return EngineState.UNKNOWN;
    }
    SparkContext context = session.sparkContext();
    return context.isLocal() ? AriadneInspection.ofProcess() : ExecutorInspection.state(context);
  }

  @Override
  public EngineState idleState() {
    lastExecuted = null; // map outputs stay in memory while their plan is reachable
    return isInspected ? AriadneInspection.settled(this::state) : EngineState.UNKNOWN;
  }

  @Override
  public void close() {
    session.stop();
  }
}
