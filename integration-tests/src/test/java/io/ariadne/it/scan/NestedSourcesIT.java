package io.ariadne.it.scan;

import static io.ariadne.it.sql.Coverage.AGGREGATE;
import static io.ariadne.it.sql.Coverage.FILTER;
import static io.ariadne.it.sql.Coverage.PROJECT;

import io.ariadne.it.sql.Coverage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays, structs and maps from Spark's own readers, from rows, and to files. */
class NestedSourcesIT extends AbstractScanIT {
  private Dataset<Row> table;

  @BeforeAll
  void makeTable() {
    table =
        session.createDataFrame(
            new ArrayList<>(new NestedTable(random, 1).rows(500)), NestedTable.SCHEMA);
  }

  private void queries(String source, Map<String, String> settings) {
    differential.check(
        "select id + 1, s, ints, pairs, m, deep from " + source + " where id * 2 < 700",
        settings,
        Coverage.of(FILTER, PROJECT).kernels("Add", "LessThan"));
    differential.check(
        "select half, count(ints), sum(s.int), count(deep.m) from "
            + source
            + " where words is not null group by half",
        settings,
        Coverage.of(AGGREGATE).kernels("GetStructField").aggregates("count", "sum"));
    differential.check(
        "select id + 1, size(ints), array_distinct(words) from " + source + " where id % 2 = 0",
        settings,
        Coverage.of(FILTER, PROJECT).kernels("Size").bridged("ArrayDistinct"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"orc", "json"})
  void filesMatchSpark(String format) {
    Dataset<Row> rows = format.equals("json") ? table.drop("dates", "maps", "deep") : table;
    rows =
        rows.withColumn("s", functions.expr("named_struct('int', s.int, 'x', s.words)"))
            .drop("all");
    rows.coalesce(1).write().mode(SaveMode.Overwrite).format(format).save(address(format));
    session
        .read()
        .schema(rows.schema())
        .format(format)
        .load(address(format))
        .createOrReplaceTempView("source");
    if (format.equals("orc")) {
      for (String offHeap : List.of("true", "false")) {
        queries("source", Map.of("spark.sql.columnVector.offheap.enabled", offHeap));
      }
    }
    // Rows: only an aggregation is worth the way in.
    differential.check(
        "select half, count(ints), sum(s.int) from source where id > 3 group by half",
        Map.of("spark.sql.orc.enableNestedColumnVectorizedReader", "false"),
        Coverage.of(AGGREGATE).kernels("GetStructField"));
  }

  @Test
  void importsFromSparksParquetReader() {
    write(table, "parquet", PLAIN);
    view("parquet");
    for (String offHeap : List.of("true", "false")) {
      queries(
          "parquet",
          Map.of(
              "spark.ariadne.disable",
              "FileSourceScanExec",
              "spark.sql.columnVector.offheap.enabled",
              offHeap));
    }
  }

  @Test
  void cachedTableMatchesSpark() {
    table.createOrReplaceTempView("rows");
    session.sql("cache table cached as select * from rows");
    differential.check(
        "select half, count(ints), sum(s.int) from cached where id * 2 > 3 group by half",
        PLAIN,
        Coverage.of(AGGREGATE).kernels("GetStructField"));
    session.sql("uncache table cached");
  }

  @Test
  void writesAndReadsBack() {
    write(table, "original", PLAIN);
    view("original");
    session
        .sql("select id, s, pairs, lists, deep, required from original where half")
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(address("copy"));
    view("copy");
    check("select * from copy");
    check("select o.id from original o join copy c on o.id = c.id where o.deep.x is null");
  }
}
