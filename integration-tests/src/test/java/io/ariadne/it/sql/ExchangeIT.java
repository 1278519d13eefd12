package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exchanges of columns against Spark's of rows. */
class ExchangeIT extends AbstractDifferentialIT {
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
  void testPlacesOfRows(String adaptive, String partitions) {
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
  void testSeveralKeys(String adaptive) {
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
  void testAggregations(String adaptive, String partitions) {
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
  void testFewRows(String adaptive) {
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
  void testNestedValuesTravel(String adaptive) {
    check("select * from (select * from nested distribute by id)", adaptive);
    check("select * from (select * from nested distribute by s)", adaptive);
  }

  @BeforeAll
  void writeNested() {
    String path = folder.resolve("nested").toString();
    session
        .sql(
            "select id, named_struct('a', i1, 'b', c1, 'c', struct(h1, z1)) s,"
                + " array(c1, c2, null) l, map(id, x1, id + 1, x2) m,"
                + " array(array(i1), array(i2, null)) ll from edge")
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(path);
    session.read().parquet(path).createOrReplaceTempView("nested");
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void testRowsInTurns(String adaptive) {
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
  void testTurnsAreEven() {
    String sql =
        "select p, count(*), count(c1) from (select spark_partition_id() p, c1 from"
            + " (select /*+ REPARTITION(7) */ * from edge)) group by p";
    List<Row> counts = ours(session.sql(sql));
    assertEquals(7, counts.size());
    for (Row row : counts) {
      assertEquals(3000 / 7.0, row.getLong(1), 3, row::toString);
    }
  }

  /** Tasks with one and the same row each do not all give it to one partition. */
  @Test
  void testFewRowsOfManyTasks() {
    String path = folder.resolve("equal").toString();
    session.range(0, 24, 1, 24).selectExpr("7 as x").write().parquet(path);
    session.conf().set("spark.sql.files.minPartitionNum", "24");
    try {
      Dataset<Row> rows = session.read().parquet(path).repartition(8);
      int partitions = new HashSet<>(ours(rows.selectExpr("spark_partition_id()", "x"))).size();
      assertTrue(partitions > 4, () -> partitions + " partitions have rows");
    } finally {
      session.conf().unset("spark.sql.files.minPartitionNum");
    }
  }

  /** What comes to a task in another order, when it is repeated, goes where it went before. */
  @Test
  void testTurnsDoNotDependOnTheOrderOfRows() {
    String path = folder.resolve("reversed").toString();
    session.table("single").orderBy(functions.desc("id")).coalesce(1).write().parquet(path);
    session.read().parquet(path).createOrReplaceTempView("reversed");
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
  void testReadersOfRows(String adaptive) {
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
  void testReuseAndSubqueries() {
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

  /** What the Spark's figures show are rows and bytes. */
  @Test
  void testFigures() {
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
  }

  @Test
  void testRowsOfOneMapKeepTheirOrder() {
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
