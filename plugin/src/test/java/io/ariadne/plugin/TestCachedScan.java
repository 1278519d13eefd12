package io.ariadne.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The range cache by its setting: from the storage's files to the metrics, and its end. */
class TestCachedScan {
  private static final long PATIENCE_SECONDS = 60;

  @TempDir Path folder;

  private static long gauge(SparkSession spark, String name) {
    var source =
        SparkEnv.get()
            .metricsSystem()
            .getSourcesByName("plugin." + spark.conf().get("spark.plugins"))
            .apply(0);
    return (Long) ((Gauge<?>) source.metricRegistry().getGauges().get(name)).getValue();
  }

  private List<Path> cacheFolders() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(each -> each.getFileName().toString().startsWith("ariadne-cache")).toList();
    }
  }

  @Test
  void remoteFilesAreReadFromLocalDisksAgain() throws IOException {
    SparkSession spark =
        TestingSessions.builder()
            .config("spark.local.dir", folder.resolve("local").toString())
            .config("spark.io.encryption.enabled", "true")
            .config("spark.ariadne.cache.size", "64m")
            .config(
                "spark.hadoop.fs." + AgedFileSystem.SCHEME + ".impl",
                AgedFileSystem.class.getName())
            .getOrCreate();
    try {
      String table = folder.resolve("table").toString();
      spark.range(0, 50_000, 1, 2).selectExpr("id", "id % 7 as k").write().parquet(table);
      spark.read().parquet(AgedFileSystem.SCHEME + "://" + table).createOrReplaceTempView("t");
      String query = "SELECT k, sum(id) FROM t GROUP BY k ORDER BY k";
      List<Row> expected =
          spark.read().parquet(table).groupBy("k").sum("id").orderBy("k").collectAsList();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (gauge(spark, "cache.bytesFromCache") == 0) {
        assertTrue(System.nanoTime() < end, "nothing is read from the cache");
        assertEquals(expected, spark.sql(query).collectAsList());
      }
      assertTrue(gauge(spark, "cache.hits") > 0);
      assertTrue(gauge(spark, "cache.bytesWritten") > 0);
      assertEquals(0, gauge(spark, "cache.corruptFiles"));
      assertFalse(cacheFolders().isEmpty());
    } finally {
      spark.stop();
    }
    assertEquals(List.of(), cacheFolders());
    assertTrue(
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().startsWith("ariadne-cache")));
  }
}
