package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.it.sql.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders, partitions, splits, tables and the plans around scans. */
class FilesAndTablesIT extends AbstractScanIT {
  private static final String AGGREGATE = "select count(*), sum(id), min(s), max(s), sum(x) from ";

  @BeforeAll
  void writeTables() {
    session
        .range(0, 4000, 1, 1)
        .selectExpr("id", "id % 17 as x", "concat('value ', id % 400) as s")
        .createOrReplaceTempView("numbers");
  }

  @Test
  void partitionColumnsOfEveryTypeMatchSpark() {
    session.sql(
        "create table parts (id bigint, i int, l bigint, b boolean, y tinyint, h smallint,"
            + " f float, d double, n decimal(10, 3), m decimal(30, 5), a date, t timestamp,"
            + " c string, v binary)"
            + " using parquet partitioned by (i, l, b, y, h, f, d, n, m, a, t, c, v)");
    session.sql(
        "insert into parts values"
            + "(1, 1, 2, true, 3, 4, 1.5, -2.5, 12.345, 7.00001, date'2020-02-29',"
            + " timestamp'2021-01-01 12:34:56.789', 'a b', X'6162'),"
            + "(2, -1, 9223372036854775807, false, -128, -32768, 0.0, 1e300, -0.001,"
            + " -1234567890123456789012345.5, date'1500-01-01', timestamp'1600-01-01 00:00:00',"
            + " '%/=ä:日本', X'7a')");
    session.sql(
        "insert into parts values"
            + "(3, null, null, null, null, null, null, null, null, null, null, null, null, null)");
    check("select * from parts");
    check("select id, c from parts where c is null or i = -1");
    check("select count(*), max(l), min(n) from parts where id > 0 group by b");
    check("select c, m, a, t from parts where id <> 2");
    check("select i + 1, d * 2, y from parts");
    session.sql("drop table parts");
  }

  @Test
  void manySmallFilesAndSplitsMatchSpark() {
    session.table("numbers").repartition(60).write().parquet(address("many"));
    view("many");
    check(AGGREGATE + "many");
    check("select * from many where x = 3");
    write(session.table("numbers"), "split", Map.of("parquet.block.size", "4000"));
    view("split");
    for (String bytes : List.of("1000", "7777", "20000", "128MB")) {
      Map<String, String> settings =
          Map.of(
              "spark.sql.files.maxPartitionBytes", bytes, "spark.sql.files.openCostInBytes", "0");
      check("select * from split", settings);
      check(AGGREGATE + "split where x > 3", settings);
    }
  }

  @Test
  void filesWithoutRowsMatchSpark() {
    session.table("numbers").where("id < 0").write().parquet(address("none"));
    session.table("numbers").where("id < 5").write().mode(SaveMode.Append).parquet(address("none"));
    view("none");
    check("select * from none");
    check(AGGREGATE + "none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void missingColumnsAndMergedSchemasMatchSpark(String adaptive) {
    write(session.sql("select id, x as a from numbers where id < 100"), "merged/p=1", Map.of());
    write(session.sql("select id, s as b from numbers where id < 90"), "merged/p=2", Map.of());
    session
        .read()
        .option("mergeSchema", "true")
        .parquet(address("merged"))
        .createOrReplaceTempView("merged");
    Map<String, String> settings = Map.of("spark.sql.adaptive.enabled", adaptive);
    check("select * from merged", settings);
    check("select id, b from merged where a is null and id > 3", settings);
    check("select p, count(a), count(b), max(b) from merged group by p", settings);
    check("select id from merged where a = 3 or b = 'value 7'", settings);
  }

  @Test
  void columnDefaultsMatchSpark() {
    session.sql("create table grown (id bigint) using parquet");
    session.sql("insert into grown select id from numbers where id < 50");
    for (String column :
        List.of(
            "i int default 42",
            "s string default 'abc and more than twelve bytes'",
            "d decimal(12, 2) default 1.5",
            "a date default date'2020-01-01'",
            "t timestamp default timestamp'2020-01-01 00:00:00'",
            "n double",
            "z boolean default true")) {
      session.sql("alter table grown add columns (" + column + ")");
    }
    session.sql(
        "insert into grown values (100, 1, 's', 2, date'1999-01-01',"
            + " timestamp'1999-01-01 00:00:00', 0.5, false)");
    session.sql("insert into grown (id, i) values (101, null)");
    check("select * from grown");
    check("select id, s, i from grown where i = 42 and z");
    check("select count(*), sum(i), sum(d), min(s) from grown where i is not null");
    session.sql("drop table grown");
  }

  @Test
  void namesByCase() {
    write(session.sql("select id as Id, x as LOUD, s as quiet from numbers"), "cases", Map.of());
    view("cases", "ID bigint, loud bigint, QUIET string");
    check("select * from cases where LOUD = 5");
    Map<String, String> sensitive = Map.of("spark.sql.caseSensitive", "true");
    check("select ID, loud, QUIET from cases where ID is null", sensitive);
    session.conf().set("spark.sql.caseSensitive", "true");
    write(session.sql("select id as a, x as A, s as b from numbers"), "ambiguous", Map.of());
    session.conf().unset("spark.sql.caseSensitive");
    view("ambiguous", "a bigint, b string");
    check("select a, b from ambiguous");
    check("select b from ambiguous");
    check("select a, b from ambiguous where a > 10", sensitive);
  }

  @Test
  void bucketedTablesMatchSpark() {
    session
        .table("numbers")
        .write()
        .bucketBy(4, "x")
        .sortBy("x")
        .format("parquet")
        .saveAsTable("buckets");
    check("select x, count(*), min(s) from buckets group by x");
    check("select * from buckets where x = 4");
    check(
        "select a.id, b.s from buckets a join buckets b on a.x = b.x where a.id < 40 and b.id <"
            + " 50");
    session.sql("drop table buckets");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void dynamicPartitionPruningAndSubqueriesMatchSpark(String adaptive) {
    session
        .table("numbers")
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy("x")
        .parquet(address("facts"));
    write(session.sql("select x as k, s as label from numbers where id < 17"), "keys", Map.of());
    view("facts");
    view("keys");
    Map<String, String> settings =
        Map.of(
            "spark.sql.adaptive.enabled",
            adaptive,
            "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly",
            "false");
    check(
        "select f.id, f.s, k.label from facts f join keys k on f.x = k.k"
            + " where k.label in ('value 3', 'value 5')",
        settings);
    check(
        "select count(*), sum(id) from facts where id > (select max(k) * 10 from keys)", settings);
    check("select id from facts where x = (select min(k) + 2 from keys) and id < 1000", settings);
  }

  @Test
  void limitsViewsCachesAndUserFunctions() throws AnalysisException {
    write(session.table("numbers"), "plain", Map.of("parquet.block.size", "8000"));
    view("plain");
    check("select count(*) from (select id from plain limit 11)");
    check("select id, s from plain order by id desc limit 5");
    session.sql(
        "create or replace temp view upper_half as select id, s from plain where id >= 2000");
    check("select count(*), min(s) from upper_half where id % 3 = 1");
    session.sql("cache table kept as select id, x, s from plain where x > 2");
    check("select count(*), sum(x) from plain where x > 2 and id > 5");
    differential.checkHarmless("select sum(x), min(s) from kept", PLAIN);
    session.sql("uncache table kept");
    session
        .udf()
        .register("plus", (UDF1<Long, Long>) v -> v == null ? null : v + 1, DataTypes.LongType);
    check("select plus(x), s from plain where plus(id) > 30");
    check("select input_file_name(), x from plain where x > 2");
    check("select a.id, b.s from plain a join plain b on a.id = b.id where a.x = 1 and b.x < 5");
    check(
        "select x, count(*) from plain group by x union all select id, x from plain where id < 4");
  }

  @Test
  void overwritingTheInputFailsAsInSpark() {
    session.sql("create table own (id bigint, x bigint) using parquet");
    session.sql("insert into own select id, x from numbers");
    String refused = "insert overwrite own select id + 1, x from own where x > 1";
    AnalysisException ours =
        Assertions.assertThrows(AnalysisException.class, () -> session.sql(refused));
    session.conf().set("spark.ariadne.enabled", "false");
    AnalysisException sparks =
        Assertions.assertThrows(AnalysisException.class, () -> session.sql(refused));
    session.conf().unset("spark.ariadne.enabled");
    assertEquals(sparks.getMessage(), ours.getMessage());
    session.sql("insert into own select id + 100000, x from own where x > 1");
    check("select count(*), sum(id), sum(x) from own");
    session.sql("drop table own");
  }

  @Test
  void filesReplacedUnderTheSameName() throws IOException {
    write(session.sql("select id, x from numbers where id < 100"), "replaced", Map.of());
    view("replaced");
    check("select count(*), sum(id) from replaced where x >= 0");
    write(session.sql("select id + 7 as id, x from numbers where id < 300"), "replaced", Map.of());
    session.catalog().refreshTable("replaced");
    check("select count(*), sum(id) from replaced where x >= 0");
  }

  /** The listing is Spark's and old; the file is read as it is when it is opened. */
  @Test
  void fileOverwrittenBetweenTwoRuns() throws IOException {
    write(session.sql("select id, x from numbers where id < 100"), "in-place", Map.of());
    write(session.sql("select id + 7 as id, x from numbers where id < 90"), "shorter", Map.of());
    write(session.sql("select -id as id, x, s from numbers where id < 140"), "longer", Map.of());
    Dataset<Row> table = session.read().parquet(address("in-place"));
    table.createOrReplaceTempView("in_place");
    assertEquals(100, table.count());
    check("select count(*), sum(id), min(x) from in_place where x >= 0");
    for (String other : List.of("shorter", "longer")) {
      Files.copy(part(other), part("in-place"), StandardCopyOption.REPLACE_EXISTING);
      Files.deleteIfExists(
          part("in-place").resolveSibling("." + part("in-place").getFileName() + ".crc"));
      check("select count(*), sum(id), min(x) from in_place where x >= 0");
      check("select * from in_place where id % 3 = 1");
      long counted = table.count();
      session.conf().set("spark.ariadne.enabled", "false");
      assertEquals(table.count(), counted, other);
      session.conf().unset("spark.ariadne.enabled");
      assertEquals(other.equals("longer"), counted > 100, other + ": " + counted);
    }
  }

  private Path part(String name) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(name))) {
      return files.filter(f -> f.toString().endsWith(".parquet")).findFirst().orElseThrow();
    }
  }

  /** Spark's metrics of its scan and of the tasks' input count what Spark's reader would read. */
  @Test
  void publishesTheMetricsOfSparksScan() throws TimeoutException {
    write(session.table("numbers"), "counted", Map.of("parquet.block.size", "8000"));
    view("counted");
    for (String sql :
        List.of(
            "select * from counted",
            "select * from counted where x % 7 = 3",
            "select id from counted where length(s) < 8 and x + id > 100",
            "select count(*) from counted")) {
      assertEquals(sparksFigures(sql, "false"), sparksFigures(sql, "true"), sql);
    }
  }

  /** Returns rows of Spark's scan and records its tasks have read. */
  private List<Long> sparksFigures(String sql, String enabled) throws TimeoutException {
    AtomicLong records = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd ended) {
            records.addAndGet(ended.taskMetrics().inputMetrics().recordsRead());
          }
        };
    session.sparkContext().addSparkListener(listener);
    session.conf().set("spark.ariadne.enabled", enabled);
    session.conf().set("spark.sql.adaptive.enabled", "false");
    try {
      SparkPlan plan = Outcome.of(session, sql).plan();
      session.sparkContext().listenerBus().waitUntilEmpty();
      return List.of(scanRows(plan), records.get());
    } finally {
      session.conf().unset("spark.ariadne.enabled");
      session.conf().unset("spark.sql.adaptive.enabled");
      session.sparkContext().removeSparkListener(listener);
    }
  }

  private static long scanRows(SparkPlan plan) {
    if (plan instanceof FileSourceScanExec scan) {
      return scan.longMetric("numOutputRows").value();
    }
    long rows = 0;
    for (SparkPlan child : ScalaCollections.<SparkPlan>list(plan.children())) {
      rows += scanRows(child);
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"orc", "csv", "json", "text"})
  void otherFormatsKeepSparksReaders(String format) {
    String columns = format.equals("text") ? "s" : "id, x, s";
    session
        .sql("select " + columns + " from numbers")
        .write()
        .format(format)
        .save(address("as-" + format));
    String schema = format.equals("text") ? "s string" : "id bigint, x bigint, s string";
    session
        .read()
        .format(format)
        .schema(schema)
        .load(address("as-" + format))
        .createOrReplaceTempView("other");
    String query =
        format.equals("text")
            ? "select s, count(*) from other group by s"
            : "select s, count(*), sum(x + 1) from other where id > 7 group by s";
    checkFallback(query, PLAIN, "the format is ");
  }

  @Test
  void publishesMetricsOfPruning() {
    write(session.table("numbers"), "figures", Map.of("parquet.block.size", "8000"));
    view("figures");
    Map<String, Long> all = scanMetrics("select * from figures where x >= 0");
    assertEquals(4000, all.get("numOutputRows"));
    assertTrue(all.get("bytesRead") > 0 && all.get("bytesRead") <= size("figures"), all::toString);
    Map<String, Long> some = scanMetrics("select * from figures where x = 3");
    assertEquals(
        4000 - some.get("numOutputRows"),
        some.get("rowsFiltered") + some.get("rowsPrunedByStatistics"),
        some::toString);
    Map<String, Long> narrow = scanMetrics("select id from figures where id >= 0");
    assertTrue(narrow.get("bytesRead") < all.get("bytesRead"), narrow::toString);
    for (String phase : List.of("footerNanos", "readNanos", "decompressNanos", "decodeNanos")) {
      assertTrue(all.get(phase) > 0, all::toString);
    }
  }

  private long size(String name) {
    try (Stream<Path> files = Files.walk(folder.resolve(name))) {
      return files
          .filter(f -> f.toString().endsWith(".parquet"))
          .mapToLong(f -> f.toFile().length())
          .sum();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
