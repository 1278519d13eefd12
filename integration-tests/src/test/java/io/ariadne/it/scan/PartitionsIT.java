package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.it.sql.Outcome;
import io.ariadne.rules.ExecutedPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scans have coarser partitions than Spark's only where a query cannot observe them: numbers of
 * partitions and files, what depends on the partition, and the order of rows are Spark's.
 */
class PartitionsIT extends AbstractScanIT {
  private static final int FILES = 100;

  @BeforeAll
  void writeFiles() {
    session
        .range(0, 20_000, 1, FILES)
        .selectExpr("id", "id % 17 as x", "concat('value ', id % 400) as s", "id * 0.1D as d")
        .write()
        .parquet(address("files"));
    view("files");
    session.table("files").write().partitionBy("x").parquet(address("by_x"));
    view("by_x");
    session
        .table("files")
        .write()
        .mode(SaveMode.Overwrite)
        .bucketBy(7, "x")
        .saveAsTable("by_bucket");
  }

  @Test
  void oneTaskReadsManyFiles() {
    String sql = "select sum(cast(x as int)), count(*), min(x), max(d) from files where id > 3";
    check(sql);
    assertEquals("one partition", layout(sql));
    check("select x, sum(id), max(s) from files group by x");
    assertEquals("coarse partitions", layout("select x, count(*) from files group by x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void expressionsOfThePartitionMatchSpark(String adaptive) {
    Map<String, String> settings = Map.of("spark.sql.adaptive.enabled", adaptive);
    String numbered =
        "(select *, spark_partition_id() as a, monotonically_increasing_id() as b, rand(7) as c,"
            + " randn(7) as g, input_file_name() as e, input_file_block_start() as f"
            + " from files where id > 5)";
    differential.checkHarmless("select id, a, b, c, g, e, f from " + numbered, settings);
    differential.checkHarmless(
        "select max(a), max(b), max(c), max(g), max(e), max(f), sum(x) from " + numbered, settings);
    differential.checkHarmless(
        "select x, max(a), max(b), max(c), max(g), max(e) from " + numbered + " group by x",
        settings);
  }

  /**
   * With adaptive execution Spark decides on dynamic pruning after our rules have listed files: of
   * a sort-merge join there is no broadcast to prune by, and the scan gets a copy without it.
   */
  @Test
  void partitionsAreNotPrunedWithoutABroadcast() {
    String byKey = "(select x, s, count(*) as c from by_x group by x, s) f";
    String some = "(select id as k, id * 2 as w from range(17)) d";
    check(
        "select /*+ merge(d) */ sum(c) from " + byKey + " join " + some + " on x = k where w = 6");
    check("select sum(id), count(*) from by_x join " + some + " on x = k where w < 9");
  }

  /** Spark sets these where it lists files; we list while planning, after which it resets them. */
  @Test
  void listedFilesAreCountedAsInSpark() {
    String sql = "select sum(id), max(s) from by_x where x > 3";
    session.conf().set("spark.sql.adaptive.enabled", "false");
    try {
      String spark = bySpark(() -> fileMetrics(sql));
      assertTrue(spark.contains("numPartitions=13"), spark);
      assertEquals(spark, fileMetrics(sql));
    } finally {
      session.conf().unset("spark.sql.adaptive.enabled");
    }
  }

  private String fileMetrics(String sql) {
    SparkPlan plan = Outcome.of(session, sql).plan();
    FileSourceScanExec scan =
        (FileSourceScanExec) ScalaCollections.<SparkPlan>list(plan.collectLeaves()).get(0);
    return Stream.of("numFiles", "filesSize", "numPartitions")
        .map(name -> name + "=" + scan.metrics().apply(name).value())
        .collect(Collectors.joining(", "));
  }

  @Test
  void sumsThatDependOnGrouping() {
    List<String> sums =
        List.of("sum(d)", "avg(d)", "stddev(d)", "avg(id)", "sum(cast(d as float))");
    String all = String.join(", ", sums);
    differential.checkHarmless("select " + all + " from files where id > 5", PLAIN);
    differential.checkHarmless("select x, " + all + " from files group by x", PLAIN);
    for (String sum : sums) {
      String sql = "select count(*), " + sum + " from files where id > 5";
      assertEquals(Set.of("Spark's partitions"), layouts(sql), sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select first(id), last(s) from files where id > 5",
        "select count(*), max(id) from (select * from files where id > 5 limit 900)",
        "select sum(id) from files tablesample (20 percent) repeatable (3) where id > 5",
        "select /*+ repartition(5) */ * from files where id > 5",
        "select x, sum(id), max(s) from by_bucket where id > 5 group by x",
        "select s, sum(id) from by_bucket where id > 5 group by s",
        "select count(*), sum(a.id) from by_bucket a join by_bucket b on a.x = b.x and a.id = b.id",
        "select a.x, count(*) from files a join by_bucket b on a.id = b.id group by a.x",
        "select x, count(*) from (select * from files union all select * from files) group by x",
        "select id, s from files where id > 5 order by s, id",
        "select x, s, count(*) from files group by rollup(x, s)"
      })
  void plansOverPartitionsMatchSpark(String sql) {
    differential.checkHarmless(sql, PLAIN);
    differential.checkHarmless(sql, Map.of("spark.sql.adaptive.enabled", "false"));
    differential.checkHarmless(sql, Map.of("spark.sql.autoBroadcastJoinThreshold", "-1"));
  }

  /** {@code collect}, {@code take} and limits show the order. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, s from files where id % 3 = 1",
        "select id from files where id > 5 limit 1234",
        "select max(id), collect_list(id) from files where id % 3 = 1",
        "select id from (select id from files where id % 3 = 1 limit 700) where id % 2 = 1"
      })
  void orderOfRowsMatchesSpark(String sql) {
    assertEquals(bySpark(() -> collected(sql)), collected(sql));
  }

  @Test
  void numberOfPartitionsThatIsSeen() {
    String sql = "select id, s from files where id % 3 = 1";
    Supplier<List<Integer>> sizes =
        () -> session.sql(sql).javaRDD().glom().collect().stream().map(List::size).toList();
    List<Integer> expected = bySpark(sizes);
    assertTrue(expected.size() > 2, () -> expected.toString());
    assertEquals(expected, sizes.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void writesAsManyFilesAsSpark(String planned) {
    session.conf().set("spark.sql.optimizer.plannedWrite.enabled", planned);
    session.conf().set("spark.sql.autoBroadcastJoinThreshold", "10MB");
    try {
      for (String sql :
          List.of(
              "select id, s from files where id % 3 = 1",
              "select a.id, b.s from files a join (select id, s from files where id < 9) b"
                  + " on a.id = b.id")) {
        Supplier<List<Integer>> files = () -> List.of(written(sql));
        assertEquals(bySpark(files), files.get(), sql);
      }
    } finally {
      session.conf().unset("spark.sql.optimizer.plannedWrite.enabled");
      session.conf().unset("spark.sql.autoBroadcastJoinThreshold");
    }
  }

  @Test
  void cachedTablesKeepTheirPartitions() {
    Supplier<List<Integer>> partitions =
        () -> {
          var cached = session.sql("select id, s from files where id % 3 = 1").cache();
          try {
            cached.count();
            return List.of(cached.javaRDD().getNumPartitions());
          } finally {
            cached.unpersist(true);
          }
        };
    assertEquals(bySpark(partitions), partitions.get());
  }

  @Test
  void partitionsPrunedDynamicallyMatchSpark() {
    session
        .table("files")
        .selectExpr("id", "s", "x as p")
        .write()
        .partitionBy("p")
        .parquet(address("pruned"));
    view("pruned");
    session.range(0, 17).selectExpr("id as k", "id * 2 as w").write().parquet(address("keys"));
    view("keys");
    Map<String, String> settings =
        Map.of("spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly", "false");
    for (String filter : List.of("w = 6", "w in (4, 8, 12)", "w = 7")) {
      differential.checkHarmless(
          "select count(*), sum(id), max(s) from pruned join keys on p = k where " + filter,
          settings);
      differential.checkHarmless(
          "select p, count(*), max(s) from pruned where p in (select k from keys where "
              + filter
              + ") group by p",
          settings);
    }
  }

  @Test
  void requestedPartitionSizesMatchSpark() {
    String sql = "select x, sum(id), max(s) from files where id > 5 group by x";
    check(sql, Map.of("spark.sql.files.maxPartitionBytes", "30MB"));
    session.conf().set("spark.sql.files.maxPartitionBytes", "30MB");
    try {
      assertEquals("Spark's partitions", layout(sql));
    } finally {
      session.conf().unset("spark.sql.files.maxPartitionBytes");
    }
  }

  private int written(String sql) {
    String name = "written";
    session.sql(sql).write().mode(SaveMode.Overwrite).parquet(address(name));
    try (Stream<Path> files = Files.list(folder.resolve(name))) {
      return (int) files.filter(file -> file.toString().endsWith(".parquet")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> collected(String sql) {
    return Arrays.stream((Row[]) session.sql(sql).collect()).map(Row::toString).toList();
  }

  private <T> T bySpark(Supplier<T> run) {
    session.conf().set("spark.ariadne.enabled", "false");
    try {
      return run.get();
    } finally {
      session.conf().unset("spark.ariadne.enabled");
    }
  }

  private String layout(String sql) {
    Set<String> layouts = layouts(sql);
    assertEquals(1, layouts.size(), sql);
    return layouts.iterator().next();
  }

  private Set<String> layouts(String sql) {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    Outcome outcome;
    try {
      outcome = Outcome.of(session, sql);
    } finally {
      session.conf().unset("spark.sql.adaptive.enabled");
    }
    assertTrue(!ExecutedPlan.of(outcome.plan()).named(SCAN).isEmpty(), sql);
    Set<String> layouts = new TreeSet<>();
    for (String line : outcome.plan().toString().lines().toList()) {
      int at = line.indexOf(SCAN + " ");
      if (at >= 0) {
        layouts.add(line.substring(at + SCAN.length() + 1).trim());
      }
    }
    return layouts;
  }
}
