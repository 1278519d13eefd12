package io.ariadne.plugin.cleanup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.memory.testing.Await;
import io.ariadne.plugin.TestingSessions;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Map outputs of ended queries are freed when they fill the memory. */
class TestEndedQueries {
  private static final int ROWS = 600_000;

  private SparkSession session;

  @BeforeEach
  void start(@TempDir Path folder) {
    session =
        TestingSessions.builder()
            .config("spark.shuffle.manager", AriadneShuffleManager.class.getName())
            .config("spark.ariadne.memory.size", "64m")
            .config("spark.ariadne.disable", "TransitionCost")
            .getOrCreate();
    String path = folder.resolve("wide").toString();
    session.range(0, ROWS, 1, 2).selectExpr("id", "id * 7919 as k").write().parquet(path);
    session.read().parquet(path).createOrReplaceTempView("wide");
  }

  @AfterEach
  void stop() {
    session.stop();
  }

  private static long mapOutputBytes() {
    return MapOutputs.of(ProcessRuntime.get()).allocatedBytes();
  }

  private Dataset<Row> query() {
    return session.sql(
        "select sum(hash(id, k)) from (select /*+ repartition(3, k) */ * from wide)");
  }

  @Test
  void theNextQueryFreesThoseOfEarlierOnes() {
    query().collectAsList();
    long one = mapOutputBytes();
    assertTrue(one > ROWS * 16L, () -> "map outputs have " + one + " bytes");
    query().collectAsList();
    Await.until(() -> mapOutputBytes() < one * 3 / 2);
  }

  @Test
  void aPlanThatIsReadAgainKeepsThem() {
    Dataset<Row> kept = query();
    var answer = kept.collectAsList();
    query().collectAsList();
    query().collectAsList();
    long bytes = mapOutputBytes();
    assertEquals(answer, kept.collectAsList());
    assertTrue(mapOutputBytes() <= bytes, "the map tasks of the first query ran again");
  }
}
