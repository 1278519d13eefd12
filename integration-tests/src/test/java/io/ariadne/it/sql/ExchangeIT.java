package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.rules.ExecutedPlan;
import io.ariadne.rules.PlanExplanation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares columnar exchanges with Spark's exchanges of rows. */
class ExchangeIT extends AbstractDifferentialIT {
  private static final String DISABLE = "spark.ariadne.disable";

  /** Blocks, not rows, are what is counted here. */
  private static final String SPILLING =
      "spark.shuffle.sort.bypassMergeThreshold=1;"
          + "spark.shuffle.spill.numElementsForceSpillThreshold=2";

  private static final List<String> COLUMNS = columns();

  private static List<String> columns() {
    List<String> columns = new ArrayList<>(List.of("id", "g"));
    for (String name : EdgeTables.SCHEMA.fieldNames()) {
      if (name.endsWith("1")) {
        columns.add(name);
      }
    }
    return columns;
  }

  private static Map<String, String> settings(String adaptive, String partitions) {
    return with(
        with(LEGACY, "spark.sql.adaptive.enabled", adaptive),
        "spark.sql.shuffle.partitions",
        partitions);
  }

  /** Returns all, but for so many partitions that each takes long: then every fourth. */
  private static List<String> someOf(List<String> keys, String partitions) {
    int step = partitions.equals("200") ? 4 : 1;
    return IntStream.range(0, keys.size()).filter(i -> i % step == 0).mapToObj(keys::get).toList();
  }

  /** Every row of every type comes out where Spark puts it. */
  @ParameterizedTest
  @CsvSource({"true,8", "false,8", "false,1", "false,200"})
  void rowsOfExchangesAreInSparksPartitions(String adaptive, String partitions) {
    for (String key : someOf(COLUMNS, partitions)) {
      String sql =
          "select spark_partition_id() p, *"
              + " from (select * from edge where id >= 0 distribute by "
              + key
              + ")";
      Map<String, String> settings =
          with(
              settings(adaptive, partitions),
              "spark.sql.adaptive.coalescePartitions.enabled",
              "false");
      requireExchange(sql, differential.outcome(sql, settings));
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void severalKeysMatchSpark(String adaptive) {
    check(
        "select spark_partition_id(), * from (select * from edge distribute by c1, h1, d1)",
        adaptive);
    check(
        "select spark_partition_id(), * from (select id + 1 as k, c2, x2 from edge distribute by k"
            + " % 5, c2)",
        adaptive);
  }

  @ParameterizedTest
  @CsvSource({"true,1", "true,8", "true,200", "false,1", "false,8", "false,200"})
  void aggregationsOverExchangesMatchSpark(String adaptive, String partitions) {
    List<String> keys = List.of("g", "c1", "id % 997", "n1, z1", "d1", "x1", "h1", "t1, a1");
    for (String key : someOf(keys, partitions)) {
      String sql =
          "select %s, count(*), sum(i1), max(c2), avg(m1), min(x2) from edge group by %s"
              .formatted(key, key);
      requireExchange(sql, differential.outcome(sql, settings(adaptive, partitions)));
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void fewRowsMatchSpark(String adaptive) {
    for (String table : List.of("one", "small", "edge")) {
      check("select count(*), sum(l1), max(c1) from " + table, adaptive);
      check("select c1, count(*) from %s group by c1".formatted(table), adaptive);
    }
    differential.checkHarmless(
        "select c1, count(*) from empty group by c1", settings(adaptive, "5"));
    differential.checkHarmless("select count(*) from empty", settings(adaptive, "5"));
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void nestedValuesTravel(String adaptive) {
    check("select * from (select * from nested distribute by id)", adaptive);
    check("select * from (select * from nested distribute by s)", adaptive);
  }

  @BeforeAll
  void writeNested() {
    writeView(
        "nested",
        session
            .sql(
                "select id, named_struct('a', i1, 'b', c1, 'c', struct(h1, z1)) s,"
                    + " array(c1, c2, null) l, map(id, x1, id + 1, x2) m,"
                    + " array(array(i1), array(i2, null)) ll from edge")
            .write()
            .mode(SaveMode.Overwrite));
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void roundRobinExchangesMatchSpark(String adaptive) {
    for (String table : List.of("edge", "single", "small", "one", "empty")) {
      String sql = "select /*+ REPARTITION(7) */ * from %s where id >= 0".formatted(table);
      if (table.equals("empty")) {
        differential.checkHarmless(sql, settings(adaptive, "5"));
      } else {
        check(sql, adaptive);
      }
    }
    check("select /*+ REPARTITION(3) */ c1, c1 d from edge where g < 3", adaptive);
    check("select count(*) from (select /*+ REPARTITION(3) */ id from edge)", adaptive);
  }

  /** Each map task gives every partition as many rows as any other, but for one. */
  @Test
  void turnsAreEven() {
    String sql =
        "select p, count(*), count(c1) from (select spark_partition_id() p, c1 from"
            + " (select /*+ REPARTITION(7) */ * from edge)) group by p";
    List<Row> counts = ours(session.sql(sql));
    assertEquals(7, counts.size());
    for (Row row : counts) {
      assertEquals(3000 / 7.0, row.getLong(1), 3, row::toString);
    }
  }

  /** Partitions have as many rows as Spark's, also of tasks with few rows (SPARK-40407). */
  @ParameterizedTest
  @CsvSource({"true,100,50,4", "false,10,2,10", "true,24,24,8", "false,24,24,7"})
  void fewRowsOfManyTasksMatchSpark(String adaptive, int rows, int tasks, int partitions) {
    check(
        "select p, count(*) from (select spark_partition_id() p from"
            + " (select /*+ REPARTITION(%d) */ id from range(0, %d, 1, %d))) group by p"
                .formatted(partitions, rows, tasks),
        adaptive);
  }

  /** What comes to a task in another order, when it is repeated, goes where it went before. */
  @Test
  void turnsDoNotDependOnTheOrderOfRows() {
    writeView(
        "reversed", session.table("single").orderBy(functions.desc("id")).coalesce(1).write());
    String places =
        "select id, spark_partition_id(), hash(*) from (select /*+ REPARTITION(7) */ * from %s)"
            + " order by id";
    List<Row> expected = ours(session.sql(places.formatted("single")));
    assertEquals(3000, expected.size());
    assertEquals(expected, ours(session.sql(places.formatted("reversed"))));
  }

  /** Returns a query's rows; there is an exchange of ours below. */
  private static List<Row> ours(Dataset<Row> query) {
    List<Row> rows = query.collectAsList();
    String plan = query.queryExecution().executedPlan().toString();
    assertTrue(Pattern.compile("AriadneShuffleExchange.*RoundRobin").matcher(plan).find(), plan);
    return rows;
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void readersOfRowsMatchSpark(String adaptive) {
    // a window stays with Spark, and so does what divides rows for it
    check(
        "select id, g, row_number() over (partition by g order by id) from"
            + " (select id, g, c1 from edge where id % 3 = 0)",
        adaptive);
    check(
        "select * from (select g, count(*) c from edge group by g) a join"
            + " (select g, max(c1) m from edge group by g) b on a.g = b.g",
        adaptive);
  }

  @Test
  void reuseAndSubqueriesMatchSpark() {
    for (String adaptive : List.of("true", "false")) {
      check(
          "with t as (select g, count(*) c from edge group by g)"
              + " select * from t a, t b where a.c < b.c",
          adaptive);
      check(
          "select g, count(*) from edge where i1 > (select avg(i1) from edge) group by g",
          adaptive);
    }
  }

  /** Spark's metrics show rows and bytes. */
  @Test
  void exchangesPublishSparksMetrics() {
    Outcome outcome =
        differential.outcome("select id, count(*) from edge group by id", settings("false", "8"));
    ExecutedPlan.Node exchange =
        ExecutedPlan.of(outcome.plan()).named("AriadneShuffleExchange").get(0);
    long rows = outcome.rows().size();
    assertEquals(rows, exchange.metrics().get("shuffleRecordsWritten"));
    assertEquals(rows, exchange.metrics().get("recordsRead"));
    assertEquals(8, exchange.metrics().get("numPartitions"));
    assertTrue(exchange.metrics().get("dataSize") > rows * Long.BYTES);
    assertTrue(exchange.metrics().get("shuffleBytesWritten") > 0);
    for (ExecutedPlan.Node node : ExecutedPlan.of(outcome.plan()).named("AriadneHashAggregate")) {
      assertTrue(node.metrics().get("peakMemory") > 0, node::toString);
    }
  }

  /**
   * What tasks report to Spark: records as with Ariadne off; bytes of columns, which are others
   * than those of rows, and memory, where Spark reports any.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from (select * from edge where id >= 0 distribute by c1)",
        "select id, count(*), max(c1) from edge group by id",
        "select id % 7, count(*) from range(0, 100000, 1, 3) group by 1",
        "select id, c1 from edge where id % 5 < 3 order by c1, id",
        "select /*+ merge(b) */ a.id, b.c1 from edge a join small b on a.id = b.id"
      })
  void tasksReportShuffleMetricsAsInSpark(String sql) {
    Map<String, TaskSums> sums = new TreeMap<>();
    Map<String, String> settings = settings("false", "4");
    String disabled = session.conf().get(DISABLE);
    session.conf().set(DISABLE, disabled + ",TransitionCost");
    for (String enabled : List.of("false", "true")) {
      with(settings, "spark.ariadne.enabled", enabled).forEach(session.conf()::set);
      sums.put(enabled, TaskSums.of(session, () -> requireRows(sql)));
    }
    with(settings, "spark.ariadne.enabled", "").keySet().forEach(session.conf()::unset);
    session.conf().set(DISABLE, disabled);
    for (String each : List.of("inputRecords", "shuffleRecordsWritten", "shuffleRecordsRead")) {
      assertEquals(sums.get("false").get(each), sums.get("true").get(each), () -> each + sums);
      assertTrue(sums.get("true").get(each) > 0, () -> each + sums);
    }
    for (String each :
        List.of(
            "peakMemory",
            "inputBytes",
            "shuffleBytesWritten",
            "shuffleWriteTime",
            "shuffleBytesRead",
            "shuffleBlocksRead")) {
      boolean isSparks = sums.get("false").get(each) > 0;
      assertTrue(!isSparks || sums.get("true").get(each) > 0, () -> each + sums);
    }
  }

  private void requireRows(String sql) {
    assertTrue(session.sql(sql).collectAsList().size() > 0, sql);
  }

  /**
   * Each writer that Spark's manager chooses among is done with a record when it asks for the next
   * one, also when it spills, merges and copies in its different ways.
   */
  @ParameterizedTest
  @CsvSource({
    "BypassMergeSortShuffleHandle, false, ''",
    "BypassMergeSortShuffleHandle, false, spark.file.transferTo=false",
    "SerializedShuffleHandle, false, spark.shuffle.sort.bypassMergeThreshold=1",
    "SerializedShuffleHandle, true, " + SPILLING,
    "SerializedShuffleHandle, true, " + SPILLING + ";spark.shuffle.unsafe.fastMergeEnabled=false",
    "SerializedShuffleHandle, true, " + SPILLING + ";spark.file.transferTo=false"
  })
  void sparksShuffleWritersAreUsedAsConfigured(String handle, boolean spills, String ofProcess) {
    SparkConf conf = SparkEnv.get().conf();
    List<String[]> set =
        ofProcess.isEmpty()
            ? List.of()
            : Stream.of(ofProcess.split(";")).map(each -> each.split("=")).toList();
    set.forEach(each -> conf.set(each[0], each[1]));
    Map<String, String> settings = settings("false", "8");
    String sql =
        "select spark_partition_id(), * from (select * from edge where id >= 0 distribute by c1,"
            + " id)";
    try {
      AriadneShuffleExchangeExec exchange =
          PlanNodes.of(differential.outcome(sql, settings).plan(), AriadneShuffleExchangeExec.class)
              .get(0);
      ShuffleDependency<?, ?, ?> dependency =
          (ShuffleDependency<?, ?, ?>) exchange.executeColumnar().dependencies().head();
      settings.forEach(session.conf()::set);
      TaskSums sums = TaskSums.of(session, () -> requireRows(sql));
      requireWriter(dependency.shuffleHandle(), handle, spills, sums);
    } finally {
      settings.keySet().forEach(session.conf()::unset);
      set.forEach(each -> conf.remove(each[0]));
    }
  }

  /** Requires that the writer was the one that the test is about. */
  void requireWriter(ShuffleHandle handle, String expected, boolean spills, TaskSums sums) {
    assertEquals(expected, handle.getClass().getSimpleName());
    assertTrue(!spills || sums.get("diskSpilled") > 0, sums::toString);
  }

  /** Spark's writer for so many partitions keeps records; the exchange stays Spark's then. */
  @Test
  void partitionsThatSparksWriterKeepsRecordsFor() {
    int most = SortShuffleManager.MAX_SHUFFLE_OUTPUT_PARTITIONS_FOR_SERIALIZED_MODE();
    for (int partitions : List.of(most, most + 1)) {
      settings("false", Integer.toString(partitions)).forEach(session.conf()::set);
      SparkPlan plan = planned("true");
      boolean isOurs = !PlanNodes.of(plan, AriadneShuffleExchangeExec.class).isEmpty();
      assertEquals(partitions == most, isOurs, plan::toString);
      String explained = PlanExplanation.explain(planned("false"), Set.of());
      assertEquals(!isOurs, explained.contains("Spark's writer keeps records"), explained);
    }
    with(settings("false", ""), "spark.ariadne.enabled", "")
        .keySet()
        .forEach(session.conf()::unset);
  }

  private SparkPlan planned(String enabled) {
    session.conf().set("spark.ariadne.enabled", enabled);
    return session
        .sql("select id, count(*) from edge group by id limit 1")
        .queryExecution()
        .executedPlan();
  }

  @Test
  void rowsOfOneMapKeepTheirOrder() {
    List<Row> rows =
        session
            .sql("select id from (select id from single where id >= 0 distribute by 1)")
            .collectAsList();
    for (int i = 1; i < rows.size(); i++) {
      assertTrue(rows.get(i - 1).getLong(0) < rows.get(i).getLong(0), "row " + i);
    }
  }

  private void check(String sql, String adaptive) {
    requireExchange(sql, differential.outcome(sql, settings(adaptive, "5")));
  }

  private static void requireExchange(String sql, Outcome outcome) {
    if (outcome.error() != null) {
      throw new AssertionError(sql + ": " + outcome.error());
    }
    assertTrue(
        ExecutedPlan.of(outcome.plan()).named("AriadneShuffleExchange").stream()
            .anyMatch(ExecutedPlan.Node::hasRun),
        () -> sql + "\n" + outcome.plan());
  }
}
