package io.ariadne.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;

/** Spark, with or without a plugin: the difference is settings only. */
final class SparkQueryEngine implements QueryEngine {
  private final SparkSession session;
  private SparkPlan lastExecuted;

  SparkQueryEngine(Map<String, String> settings, Map<String, Path> tables) {
    SparkSession.Builder builder = SparkSession.builder().appName("ariadne-benchmark");
    settings.forEach(builder::config);
    session = builder.getOrCreate();
    session.sparkContext().setLogLevel("WARN");
    tables.forEach(
        (name, folder) -> session.read().parquet(folder.toString()).createOrReplaceTempView(name));
  }

  @Override
  public List<Object[]> run(String sql) {
    Dataset<Row> dataset = session.sql(sql);
    if (sql.startsWith(DRAIN)) {
      long count = dataset.queryExecution().toRdd().count();
      lastExecuted = dataset.queryExecution().executedPlan();
      return List.<Object[]>of(new Object[] {count});
    }
    Row[] collected = (Row[]) dataset.collect();
    List<Object[]> rows = new ArrayList<>(collected.length);
    for (Row row : collected) {
      Object[] values = new Object[row.length()];
      for (int i = 0; i < values.length; i++) {
        values[i] = row.get(i);
      }
      rows.add(values);
    }
    lastExecuted = dataset.queryExecution().executedPlan();
    return rows;
  }

  @Override
  public Placement lastPlacement() {
    PlanCounter counter = new PlanCounter(lastExecuted);
    return new Placement(counter.accelerated(), counter.operators());
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
  public long liveBytes() {
    return askPool("allocatedBytes");
  }

  @Override
  public long peakBytes() {
    return askPool("peakBytes");
  }

  /**
   * Returns what Ariadne's memory pool counts. Asked by name, because the programs of this module
   * run without Ariadne on their class path too.
   */
  private long askPool(String counter) {
    if (!session.conf().get("spark.plugins", "").contains("io.ariadne")) {
      return 0;
    }
    try {
      Class<?> process = Class.forName("io.ariadne.executor.ProcessRuntime");
      Object runtime = process.getMethod("get").invoke(null);
      Object pool = runtime.getClass().getMethod("pool").invoke(runtime);
      return (long) pool.getClass().getMethod(counter).invoke(pool);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Ariadne's memory pool cannot be asked", e);
    }
  }

  @Override
  public void close() {
    session.stop();
  }
}
