package io.ariadne.plugin.cleanup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.plugin.TestingSessions;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Map outputs are dropped when Spark's driver has unregistered their shuffle, and not before. */
class TestStaleOutputs {
  private final List<Set<Integer>> asked = new ArrayList<>();
  private final List<Integer> dropped = new ArrayList<>();
  private SparkSession session;
  private MapOutputs outputs;
  private Dataset<Row> query;

  @BeforeEach
  void runQuery() {
    session =
        TestingSessions.builder()
            .config("spark.shuffle.manager", AriadneShuffleManager.class.getName())
            .config("spark.ariadne.disable", "TransitionCost")
            .config("spark.sql.adaptive.enabled", "false")
            .getOrCreate();
    query = session.sql("select /*+ repartition(3, id) */ id from range(0, 1000, 1, 2)");
    assertEquals(1000, query.collectAsList().size());
    outputs = MapOutputs.of(ProcessRuntime.get());
    assertEquals(2, outputs.count());
  }

  @AfterEach
  void stop() {
    session.stop();
  }

  private StaleOutputs stale(Set<Integer> unregistered) {
    return new StaleOutputs(
        outputs,
        shuffles -> {
          asked.add(Set.copyOf(shuffles));
          return unregistered;
        },
        dropped::add);
  }

  private int shuffle() {
    return outputs.attempts().keySet().iterator().next();
  }

  @Test
  void dropsOutputsOfUnregisteredShuffles() throws IOException {
    int shuffle = shuffle();
    try (StaleOutputs stale = stale(Set.of(shuffle))) {
      stale.check();
      assertEquals(2, outputs.count(), "they are new");
      assertTrue(asked.isEmpty());
      stale.check();
    }
    assertEquals(List.of(Set.of(shuffle)), asked);
    assertEquals(List.of(shuffle), dropped);
    assertEquals(0, outputs.count());
    assertEquals(0, outputs.allocatedBytes());
    assertEquals(1000, query.collectAsList().size(), "its map tasks run again");
  }

  @Test
  void keepsOutputsOfOtherShuffles() throws IOException {
    try (StaleOutputs stale = stale(Set.of(shuffle() + 1))) {
      stale.check();
      stale.check();
    }
    assertFalse(asked.isEmpty());
    assertEquals(2, outputs.count());
  }

  @Test
  void keepsOutputsThatHaveComeSinceTheLastCheck() throws IOException {
    int shuffle = shuffle();
    try (StaleOutputs stale = stale(Set.of(shuffle))) {
      stale.check();
      outputs.drop(shuffle);
      assertEquals(1000, query.collectAsList().size(), "its map tasks run again");
      stale.check();
    }
    assertTrue(asked.isEmpty());
    assertEquals(2, outputs.count());
  }

  @Test
  void keepsOutputsWhenTheDriverDoesNotAnswer() throws IOException {
    StaleOutputs.Driver silent =
        shuffles -> {
          throw new IOException("no answer");
        };
    try (StaleOutputs stale = new StaleOutputs(outputs, silent, dropped::add)) {
      stale.check();
      assertThrows(IOException.class, stale::check);
    }
    assertEquals(2, outputs.count());
  }
}
