package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.AriadneScanExec;
import io.ariadne.rules.scan.PartitionLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans keep Spark's partitions where a node could depend on them. */
class TestStageLayout {
  private static volatile RulesConfig config = RulesConfig.DEFAULT;
  private static SparkSession spark;

  @BeforeAll
  static void start(@TempDir Path folder) {
    spark = TestingSession.start(() -> config);
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    String path = folder.resolve("t").toString();
    spark
        .sql(
            "SELECT id AS k, cast(id * 2 AS INT) AS v, id * 0.5D AS d, cast(id AS STRING) AS s FROM"
                + " range(100)")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
    UDF1<Long, Long> plusOne = value -> value + 1;
    spark.udf().register("plus_one", plusOne, DataTypes.LongType);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT sum(v), min(d), count(*) FROM t WHERE k > 3",
        "SELECT avg(cast(v AS DECIMAL(12, 2))), sum(CAST(v AS DECIMAL(28, 2))) FROM t",
        "SELECT sum(v + 1) FROM (SELECT * FROM t WHERE k > 3) WHERE v < 90",
        "SELECT max(s) FROM t WHERE k > 3",
        "SELECT count(*) FROM t"
      })
  void aggregationWithoutGroupsReadsOnePartition(String sql) {
    assertEquals(List.of(PartitionLayout.SINGLE), layouts(sql));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT k % 3, sum(v) FROM t WHERE k > 3 GROUP BY k % 3",
        "SELECT k % 3, max(d) FROM t WHERE k > 3 GROUP BY k % 3",
        "SELECT k, v FROM t WHERE k > 3 ORDER BY k",
        "SELECT v FROM t WHERE k > 3 DISTRIBUTE BY v",
        "SELECT count(DISTINCT v) FROM t"
      })
  void mergesPartitionsBelowExchangeByContent(String sql) {
    assertEquals(List.of(PartitionLayout.PER_SLOT), layouts(sql));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Collected, or whatever else happens to the partitions.
        "SELECT k, v FROM t WHERE k > 3",
        "SELECT k, v FROM t WHERE k > 3 LIMIT 7",
        "SELECT k, v FROM t WHERE k > 3 ORDER BY v LIMIT 7",
        // Depend on the number of the partition or the place in it.
        "SELECT k % 3, sum(v) FROM t WHERE rand(5) < 0.5 AND k > 3 GROUP BY k % 3",
        "SELECT sum(v), max(x) FROM (SELECT v, spark_partition_id() AS x FROM t WHERE k > 3)",
        "SELECT sum(v), max(x) FROM (SELECT v, monotonically_increasing_id() AS x FROM t)",
        "SELECT sum(v), max(x) FROM (SELECT v, input_file_name() AS x FROM t WHERE k > 3)",
        "SELECT count(*), max(v) FROM (SELECT /*+ COALESCE(3) */ * FROM t WHERE k > 3)",
        "SELECT count(*), max(v) FROM (SELECT * FROM t WHERE k > 3) TABLESAMPLE (50 PERCENT)",
        "SELECT count(*), max(v) FROM (SELECT * FROM t WHERE k > 3 LIMIT 5)",
        // Run code of users.
        "SELECT sum(v), max(x) FROM (SELECT v, plus_one(k) AS x FROM t WHERE k > 3)",
        // Depend on order or grouping.
        "SELECT first(v) FROM t WHERE k > 3",
        "SELECT collect_list(v) FROM t WHERE k > 3",
        "SELECT sum(d), count(*) FROM t WHERE k > 3",
        "SELECT avg(v) FROM t WHERE k > 3",
        "SELECT sum(CAST(v AS DECIMAL(29, 2))) FROM t WHERE k > 3",
        // Places rows by their position.
        "SELECT /*+ REPARTITION(3) */ * FROM t WHERE k > 3"
      })
  void keepsSparksPartitionsWhereTheyAreVisible(String sql) {
    assertEquals(Set.of(PartitionLayout.SPARK), Set.copyOf(layouts(sql)), sql);
  }

  @Test
  void keepsSparksPartitionsBelowSumsThatMayOverflow() {
    String sql = "SELECT sum(k) FROM t WHERE k > 3";
    spark.conf().set("spark.sql.ansi.enabled", "true");
    try {
      assertEquals(List.of(PartitionLayout.SPARK), layouts(sql));
      spark.conf().set("spark.sql.ansi.enabled", "false");
      assertEquals(List.of(PartitionLayout.SINGLE), layouts(sql));
    } finally {
      spark.conf().unset("spark.sql.ansi.enabled");
    }
  }

  @Test
  void mergesPartitionsOnBothSidesOfJoin() {
    String join =
        "SELECT a.k % 2, sum(a.v + b.v) FROM t a JOIN t b ON a.k = b.k"
            + " WHERE a.v > 3 AND b.v > 4 GROUP BY a.k % 2";
    assertEquals(List.of(PartitionLayout.PER_SLOT, PartitionLayout.PER_SLOT), layouts(join));
  }

  @Test
  void obeysSettingsOfPartitions() {
    String sql = "SELECT k % 3, sum(v) FROM t WHERE k > 3 GROUP BY k % 3";
    for (String setting :
        List.of(
            "spark.sql.files.maxPartitionBytes",
            "spark.sql.files.openCostInBytes",
            "spark.sql.files.minPartitionNum",
            "spark.sql.files.maxPartitionNum",
            "spark.sql.leafNodeDefaultParallelism")) {
      spark.conf().set(setting, "1000");
      try {
        assertEquals(List.of(PartitionLayout.SPARK), layouts(sql), setting);
      } finally {
        spark.conf().unset(setting);
      }
    }
    assertEquals(List.of(PartitionLayout.PER_SLOT), layouts(sql));
  }

  @Test
  void keepsBuckets() {
    spark.sql("DROP TABLE IF EXISTS buckets");
    config = new RulesConfig(false, ExplainMode.NONE, Set.of(), OptionalLong.empty(), true);
    try {
      spark.sql(
          "CREATE TABLE buckets USING PARQUET CLUSTERED BY (k) INTO 5 BUCKETS AS SELECT * FROM t");
    } finally {
      config = RulesConfig.DEFAULT;
    }
    String byBucket = "SELECT k, sum(v) FROM buckets WHERE v > 3 GROUP BY k";
    assertEquals(List.of(PartitionLayout.SPARK), layouts(byBucket));
    assertEquals(
        List.of(PartitionLayout.PER_SLOT),
        layouts("SELECT v, count(*) FROM buckets WHERE v > 3 GROUP BY v"));
    spark.sql("DROP TABLE buckets");
  }

  private static List<PartitionLayout> layouts(String sql) {
    List<PartitionLayout> layouts = new ArrayList<>();
    collect(spark.sql(sql).queryExecution().executedPlan(), layouts);
    return layouts;
  }

  private static void collect(SparkPlan plan, List<PartitionLayout> layouts) {
    if (plan instanceof AriadneScanExec scan) {
      layouts.add(scan.layout());
    }
    ScalaCollections.<SparkPlan>list(plan.children()).forEach(child -> collect(child, layouts));
  }
}
