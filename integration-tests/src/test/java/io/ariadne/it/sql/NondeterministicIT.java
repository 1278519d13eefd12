package io.ariadne.it.sql;

import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions whose value depends on the rows before, on the partition or on the file. */
class NondeterministicIT extends AbstractDifferentialIT {
  private static final Coverage PROJECT = Coverage.of(Coverage.PROJECT);
  private static final int ROWS = 90_000;

  /** Twelve files in few partitions: several batches in each, and several files. */
  private static final Map<String, String> SETTINGS =
      with(LEGACY, "spark.sql.files.openCostInBytes", "0");

  private static final Map<String, String> ONE_PARTITION =
      with(ANSI, "spark.sql.files.minPartitionNum", "1");

  @BeforeAll
  void writeFiles() {
    Path target = folder.resolve("twelve");
    session
        .range(0, ROWS, 1, 1)
        .selectExpr("id", "id % 7 as x")
        .repartition(12)
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(target.toUri().toString());
    session.read().parquet(target.toUri().toString()).createOrReplaceTempView("twelve");
    Path file = folder.resolve("one-file");
    session
        .table("twelve")
        .repartition(1)
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(file.toUri().toString());
    session.read().parquet(file.toUri().toString()).createOrReplaceTempView("one_file");
  }

  @Test
  void randomNumbersAreSparks() {
    differential.check(
        "select id + 1, rand(5), randn(7), rand(5) + x from twelve",
        SETTINGS,
        PROJECT.bridged("Rand", "Randn", "Add"));
  }

  @Test
  void numbersOfRowsAndPartitionsMatchSpark() {
    differential.check(
        "select id * 2, monotonically_increasing_id(), spark_partition_id() from twelve",
        SETTINGS,
        PROJECT.kernels("Multiply").bridged("MonotonicallyIncreasingID", "SparkPartitionID"));
  }

  @Test
  void rowsThatAFilterDropsAreNotCounted() {
    differential.check(
        "select id + 1, rand(5), monotonically_increasing_id() from twelve where x + 1 > 3",
        with(SETTINGS, "spark.sql.ansi.enabled", "true"), // the scan does not take it
        Coverage.of(Coverage.PROJECT, Coverage.FILTER)
            .kernels("GreaterThan")
            .bridged("Rand", "MonotonicallyIncreasingID"));
  }

  @Test
  void rowsThatALaterFilterDropsAreCounted() {
    differential.check(
        "select id, r, m from (select id, x, rand(9) as r, monotonically_increasing_id() as m"
            + " from twelve) where x > 2 and r < 0.25D and m % 3 = 0",
        SETTINGS,
        Coverage.of(Coverage.PROJECT, Coverage.FILTER)
            .kernels("GreaterThan", "LessThan")
            .bridged("Rand", "MonotonicallyIncreasingID"));
  }

  @Test
  void branchesDrawOnlyForTheirRows() {
    differential.check(
        "select id + 1, case when x < 3 then rand(3) when x = 5 then randn(4) end from twelve",
        SETTINGS,
        PROJECT.kernels("Add").bridged("CaseWhen"));
  }

  @Test
  void partitionsOfAUnionAreNumberedAsTheirOwn() {
    differential.check(
        "select id + 1, monotonically_increasing_id() as m, rand(2) as r from twelve union all"
            + " select id - 1, monotonically_increasing_id(), rand(2) from twelve where x > 1",
        SETTINGS,
        Coverage.of(Coverage.PROJECT, Coverage.FILTER)
            .bridged("MonotonicallyIncreasingID", "Rand"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "json"})
  void filesOfRowsMatchSpark(String format) {
    Path target = folder.resolve("asked-" + format);
    session
        .table("twelve")
        .repartition(6)
        .write()
        .mode(SaveMode.Overwrite)
        .format(format)
        .save(target.toUri().toString());
    session
        .read()
        .schema("id bigint, x bigint")
        .format(format)
        .load(target.toUri().toString())
        .createOrReplaceTempView("asked");
    differential.check(
        "select id + 1, input_file_name(), input_file_block_start(), input_file_block_length()"
            + " from asked where x > 2",
        with(SETTINGS, "spark.ariadne.disable", "TransitionCost"),
        Coverage.of(Coverage.PROJECT, Coverage.FILTER)
            .kernels("GreaterThan")
            .bridged("InputFileName", "InputFileBlockStart", "InputFileBlockLength"));
    differential.check(
        "select f, count(*), sum(x) from (select input_file_name() as f, x from asked) group by f",
        SETTINGS,
        Coverage.of(Coverage.PROJECT, Coverage.AGGREGATE)
            .bridged("InputFileName")
            .aggregates("count", "sum"));
  }

  @Test
  void sumOfRandomNumbersMatchesSpark() {
    differential.check(
        "select x, sum(cast(r * 1000 as bigint)), count(*) from"
            + " (select x, rand(11) as r from twelve) group by x",
        SETTINGS,
        Coverage.of(Coverage.PROJECT, Coverage.AGGREGATE)
            .bridged("Rand")
            .aggregates("sum", "count"));
  }

  /** One task reads several partitions with one copy of its code. */
  @Test
  void partitionsThatOneTaskReadsKeepTheirNumbers() {
    differential.check(
        "select /*+ coalesce(1) */ id + 1, rand(5), monotonically_increasing_id(),"
            + " spark_partition_id(), input_file_name() from twelve where x > 1",
        SETTINGS,
        Coverage.of(Coverage.PROJECT, Coverage.FILTER)
            .kernels("GreaterThan")
            .bridged("Rand", "MonotonicallyIncreasingID", "SparkPartitionID", "InputFileName"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10 / (id - 77777)", "cast(id as string)"})
  void randomNumbersAreBridgedBesideExpressionsThatMayRaise(String other) {
    differential.check(
        "select rand(5), " + other + ", rand(6) * 10 + x from one_file",
        ONE_PARTITION,
        PROJECT.bridged("Rand", "Add"));
  }

  @Test
  void projectionsThatMayRaiseBesideRandomNumbersStayWithSpark() {
    differential.check(
        "select id + x, rand(5) + 10 / (id - 77777) from one_file where x + 1 > 2",
        ONE_PARTITION,
        Coverage.of(Coverage.FILTER).kernels("GreaterThan"));
  }

  @Test
  void filtersThatRaiseBelow() {
    differential.check(
        "select id, rand(5) from one_file where 10 / (id - 77777) < 3",
        ONE_PARTITION,
        Coverage.of(Coverage.PROJECT, Coverage.FILTER).bridged("Rand"));
  }

  @Test
  void groupsAreOfNoFile() {
    session
        .table("twelve")
        .write()
        .mode(SaveMode.Overwrite)
        .bucketBy(4, "x")
        .format("parquet")
        .option("path", folder.resolve("bucketed").toUri().toString())
        .saveAsTable("bucketed");
    differential.check(
        "select input_file_name(), x, c from (select x, count(*) as c from bucketed group by x)",
        SETTINGS,
        Coverage.of(Coverage.AGGREGATE).bridged("InputFileName").aggregates("count"));
    session.sql("drop table bucketed");
  }
}
