package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.rules.ExecutedPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests inputs and consumers of fragments: vectorized readers, rows, cached tables, user functions,
 * writes.
 */
class SourcesIT extends AbstractDifferentialIT {
  private static final String QUERY =
      "select g, count(*), sum(i1), sum(n1), min(a1), max(i2) from %s"
          + " where i2 >= 0 or c1 is null group by g";
  private static final Coverage CLAIM =
      Coverage.of(Coverage.AGGREGATE)
          .kernels("GreaterThanOrEqual", "Or", "IsNull")
          .aggregates("count", "sum", "min", "max");

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "json"})
  void filesMatchSpark(String format) {
    Path target = folder.resolve("as-" + format);
    session
        .table("edge")
        .select("g", "i1", "i2", "n1", "a1", "c1")
        .write()
        .mode(SaveMode.Overwrite)
        .format(format)
        .save(target.toUri().toString());
    session
        .read()
        .schema(session.table("edge").select("g", "i1", "i2", "n1", "a1", "c1").schema())
        .format(format)
        .load(target.toUri().toString())
        .createOrReplaceTempView("source");
    differential.check(QUERY.formatted("source"), LEGACY, CLAIM);
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void parquetReaderOnAndOffHeapMatchesSpark(String offHeap) {
    differential.check(
        QUERY.formatted("edge"),
        with(LEGACY, "spark.sql.columnVector.offheap.enabled", offHeap),
        CLAIM);
  }

  @Test
  void parquetReaderWithoutVectorsMatchesSpark() {
    differential.check(
        QUERY.formatted("edge"),
        with(LEGACY, "spark.sql.parquet.enableVectorizedReader", "false"),
        CLAIM);
  }

  @Test
  void partitionedTableMatchesSpark() {
    Path target = folder.resolve("partitioned");
    session
        .table("edge")
        .select("i1", "i2", "n1", "a1", "c1", "g")
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy("g")
        .parquet(target.toUri().toString());
    session.read().parquet(target.toUri().toString()).createOrReplaceTempView("partitioned");
    differential.check(QUERY.formatted("partitioned"), LEGACY, CLAIM);
  }

  @Test
  void cachedTableMatchesSpark() {
    session.sql("cache table cached as select g, i1, i2, n1, a1, c1 from edge");
    differential.check(QUERY.formatted("cached"), LEGACY, CLAIM);
    session.sql("uncache table cached");
  }

  @Test
  void userDefinedFunctionsStayInThePipeline() {
    session
        .udf()
        .register(
            "twice", (UDF1<Integer, Integer>) v -> v == null ? null : v * 2, DataTypes.IntegerType);
    differential.check(
        "select id, twice(i1) + 1, upper(c1) from edge where twice(i2) > i1",
        LEGACY,
        Coverage.of(Coverage.PROJECT, Coverage.FILTER)
            .kernels("Add", "GreaterThan")
            .kernels("Upper")
            .bridged("ScalaUDF"));
  }

  @Test
  void writesAndReadsBack() {
    writeView(
        "written",
        session
            .sql("select g, i1 + 1 as i, n1 * 2 as n, c1 from edge where i1 < 1000")
            .write()
            .mode(SaveMode.Overwrite));
    differential.check(
        "select g, count(*), sum(i), sum(n), min(i) from written group by g",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).aggregates("count", "sum", "min"));
  }

  @Test
  void subqueriesAndJoinsAroundAriadneMatchSpark() {
    differential.check(
        "select g, count(*) from edge where i1 > (select min(i2) from small where i2 is not null)"
            + " group by g",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE, Coverage.FILTER)
            .kernels("GreaterThan")
            .aggregates("count", "min"));
    differential.check(
        "select e.g, count(*), sum(e.i1) from edge e join small s on e.g = s.g group by e.g",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).aggregates("count", "sum"));
  }

  /**
   * The type of a variant that {@code from_csv} reads depends on the rows before it in its
   * partition: only Spark computes it, in partitions as Spark divides them.
   */
  @Test
  void variantsOfCsvMatchSpark() {
    assumeTrue(session.version().startsWith("4."));
    String target = folder.resolve("lines").toUri().toString();
    session
        .sql("select /*+ repartition(2, line) */ * from values ('x'), ('1') as lines(line)")
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(target);
    session.read().parquet(target).createOrReplaceTempView("lines");
    String type = "schema_of_variant(from_csv(line, 'a variant').a)";
    Map<String, String> settings =
        with(
            with(LEGACY, "spark.ariadne.disable", "TransitionCost"),
            "spark.sql.files.openCostInBytes",
            "200000000"); // a partition each
    for (String sql :
        List.of(
            "select t, count(*) from (select " + type + " t from lines) group by t",
            "select max(" + type + ") from lines group by line",
            "select sort_array(collect_list(" + type + ")) from lines")) {
      Outcome outcome = differential.outcome(sql, settings);
      assertTrue(
          ExecutedPlan.of(outcome.plan()).named("AriadneHashAggregate").stream()
              .noneMatch(node -> node.bridgedExpressions().contains("CsvToStructs")),
          outcome.plan()::toString);
    }
  }

  @Test
  void earlyLimitMatchesSpark() {
    differential.check(
        "select sum(x) from (select i1 + 1 as x from single where i1 is not null limit 7)",
        LEGACY,
        Coverage.of(Coverage.PROJECT).kernels("Add"));
  }
}
