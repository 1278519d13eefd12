package io.ariadne.plugin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.List;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** The driver knows a shuffle as long as its map output tracker does. */
class TestRegisteredShuffles {
  private static final int UNKNOWN = 99;

  @Test
  void returnsThoseThatSparkHasUnregistered() throws Exception {
    try (SparkSession session =
        TestingSessions.builder()
            .config("spark.shuffle.manager", AriadneShuffleManager.class.getName())
            .config("spark.ariadne.disable", "TransitionCost")
            .getOrCreate()) {
      Dataset<Row> query =
          session.sql("select /*+ repartition(3, id) */ id from range(0, 1000, 1, 2)");
      assertEquals(1000, query.collectAsList().size());
      int shuffle = MapOutputs.of(ProcessRuntime.get()).attempts().keySet().iterator().next();
      assertArrayEquals(new int[] {UNKNOWN}, unregistered(shuffle, UNKNOWN));
      ((MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker()).unregisterShuffle(shuffle);
      assertArrayEquals(new int[] {shuffle, UNKNOWN}, unregistered(shuffle, UNKNOWN));
    }
  }

  private static int[] unregistered(int... shuffles) {
    return (int[]) RegisteredShuffles.answer(List.of("ariadne.shuffle.unregistered", shuffles));
  }

  @Test
  void knowsItsMessages() {
    assertTrue(RegisteredShuffles.isMessage(List.of("ariadne.shuffle.unregistered", new int[0])));
    assertFalse(RegisteredShuffles.isMessage(List.of("ariadne.shuffle.find", "1")));
  }
}
