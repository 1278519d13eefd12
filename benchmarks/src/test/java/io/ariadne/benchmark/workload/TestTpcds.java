package io.ariadne.benchmark.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.table.GeneratedTable;
import io.ariadne.benchmark.table.TpcdsTables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TestTpcds {
  private static final double SCALE = 0.01;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    SparkSession.Builder builder = SparkSession.builder().appName("test");
    EngineSettings.common(1).forEach(builder::config);
    builder.config("spark.sql.datetime.java8API.enabled", true);
    spark = builder.getOrCreate();
    for (GeneratedTable table : TpcdsTables.all()) {
      spark.createDataFrame(List.<Row>of(), table.schema()).createOrReplaceTempView(table.name());
    }
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void everyQueryIsUnderstoodOverTheTables() {
    assertEquals(103, TpcdsQueries.all().size());
    for (String name : TpcdsQueries.all()) {
      String text = TpcdsQueries.text(name);
      assertNotEquals(0, spark.sql(text).queryExecution().analyzed().output().size(), name);
    }
  }

  @Test
  void rowsHaveTheTypesOfTheirColumns() {
    for (GeneratedTable table : TpcdsTables.all()) {
      List<Row> some = new ArrayList<>();
      table.rows(SCALE, 1, 1).forEachRemaining(row -> addUpTo(100, some, row));
      assertEquals(some.size(), spark.createDataFrame(some, table.schema()).collectAsList().size());
    }
  }

  @Test
  void tablesAreDividedAsFarAsTheirRowsAre() {
    GeneratedTable inventory = table("inventory");
    int parts = inventory.parts(1);
    assertEquals(11, parts);
    Set<String> first = new HashSet<>();
    for (int part = 1; part <= parts; part++) {
      assertTrue(first.add(inventory.rows(1, part, parts).next().mkString("|")), "part " + part);
    }
    assertEquals(1, table("store_returns").parts(1));
    assertEquals(4, table("store_returns").files(1));
  }

  @Test
  void parsesASelection() {
    assertEquals(List.of("q3", "q14a"), TpcdsQueries.parse("3, 14a"));
    assertEquals(TpcdsQueries.all(), TpcdsQueries.parse("all"));
    for (String invalid : List.of("0", "14", "100", "x")) {
      assertThrows(IllegalArgumentException.class, () -> TpcdsQueries.parse(invalid), invalid);
    }
  }

  private static void addUpTo(int count, List<Row> rows, Row row) {
    if (rows.size() < count) {
      rows.add(row);
    }
  }

  private static GeneratedTable table(String name) {
    return TpcdsTables.all().stream().filter(t -> t.name().equals(name)).findAny().orElseThrow();
  }
}
