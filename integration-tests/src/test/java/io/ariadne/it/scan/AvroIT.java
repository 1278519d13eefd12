package io.ariadne.it.scan;

import static io.ariadne.it.sql.Coverage.AGGREGATE;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

/** Avro files: read by Spark's data source of that name, imported as rows. */
class AvroIT extends AbstractScanIT {
  private static final String FORMAT = "avro";
  private static final Map<String, String> LEGACY = Map.of("spark.sql.ansi.enabled", "false");
  private static final Map<String, String> PIECES =
      Map.of("spark.sql.files.openCostInBytes", "0", "spark.sql.files.maxPartitionBytes", "20000");

  @BeforeAll
  void writeFiles() {
    assumeTrue(
        !session.version().startsWith("4.2"), "no spark-avro for Spark 4.2 among the dependencies");
    Dataset<Row> rows =
        session
            .range(0, 8000, 1, 3)
            .selectExpr(
                "id",
                "id % 17 as g",
                "if(id % 5 = 0, null, cast(id % 1000 as int)) as i",
                "if(id % 7 = 0, null, concat('text ', id % 100)) as s",
                "if(id % 11 = 0, null, id % 2 = 0) as flag",
                "cast(id as float) / 3 as f",
                "if(id % 13 = 0, double('NaN'), cast(id as double) * 1e9) as d",
                "if(id % 3 = 0, null, cast(id as decimal(18, 4)) / 7) as n",
                "cast(concat('b', id % 30) as binary) as b",
                "date_add(date'1999-12-30', cast(id % 500 as int)) as day",
                "timestamp_micros(id * 86399999999) as t",
                "if(id % 9 = 0, null, named_struct('x', id, 'y', array(id, null))) as r",
                "if(id % 6 = 0, null, map(concat('k', id % 4), id)) as m");
    rows.write().mode(SaveMode.Overwrite).format(FORMAT).save(address(FORMAT));
    session.read().format(FORMAT).load(address(FORMAT)).createOrReplaceTempView(FORMAT);
    Dataset<Row> nested =
        session.createDataFrame(
            new ArrayList<>(new NestedTable(random, 1).rows(500)), NestedTable.SCHEMA);
    nested
        .select("id", "half", "ints", "s")
        .withColumn("s", functions.expr("named_struct('int', s.int)"))
        .write()
        .mode(SaveMode.Overwrite)
        .format(FORMAT)
        .save(address("nested-avro"));
    session
        .read()
        .format(FORMAT)
        .load(address("nested-avro"))
        .createOrReplaceTempView("nested_avro");
  }

  @Test
  void aggregatesMatchSpark() {
    for (Map<String, String> settings : List.of(LEGACY, PIECES)) {
      differential.check(
          "select g, count(*), count(s), sum(i), sum(n), min(day), max(t), max(flag)"
              + " from avro where i > 3 or s is null group by g",
          settings,
          Coverage.of(AGGREGATE)
              .kernels("GreaterThan", "Or", "IsNull")
              .aggregates("count", "sum", "min", "max"));
      differential.check(
          "select s, count(*), max(f), min(d), max(i + 1) from avro group by s",
          settings,
          Coverage.of(AGGREGATE).kernels("Add").aggregates("count", "max", "min"));
    }
  }

  @Test
  void everyTypeComesOut() {
    differential.checkHarmless("select * from avro", LEGACY);
    differential.checkHarmless("select id, r.x, r.y, m, b from avro where id % 4 = 1", LEGACY);
    differential.checkHarmless("select b, count(*), max(t) from avro group by b", LEGACY);
  }

  @Test
  void nestedColumnsMatchSpark() {
    differential.check(
        "select half, count(ints), sum(s.int) from nested_avro where id > 3 group by half",
        PLAIN,
        Coverage.of(AGGREGATE).kernels("GetStructField"));
    differential.check(
        "select g, count(r), sum(r.x), count(m) from avro group by g",
        LEGACY,
        Coverage.of(AGGREGATE).kernels("GetStructField"));
  }

  @Test
  void rowsKnowTheirFiles() {
    differential.checkHarmless(
        "select f, count(*), sum(i) from (select input_file_name() as f, i from avro) group by f",
        LEGACY);
  }

  @Test
  void joinedWithParquetMatchesSpark() {
    write(session.sql("select id as k, id * 2 as v from range(0, 400)"), "keys", PLAIN);
    view("keys");
    check("select a.g, count(*), sum(k.v) from avro a join keys k on a.id = k.k group by a.g");
  }
}
