package io.ariadne.benchmark.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.io.ReadStep;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TestEngineSettings {
  private static final String BACKEND = "spark.ariadne.backend";
  private static final String READ_AHEAD = "spark.ariadne.readAhead.size";

  @Test
  void enginesNameTheirBackEnd() {
    assertEquals("cpu", settings("ariadne-cpu").get(BACKEND));
    assertEquals("cuda", settings("ariadne-cuda").get(BACKEND));
    assertEquals("simulated", settings("ariadne-simulated").get(BACKEND));
    assertNull(settings("ariadne").get(BACKEND));
  }

  @Test
  void allOfAriadneHaveThePluginAndOthersDoNot() {
    for (String engine : EngineSettings.ARIADNE) {
      assertEquals("io.ariadne.AriadnePlugin", settings(engine).get("spark.plugins"), engine);
    }
    for (String engine : List.of("spark", "duckdb")) {
      assertFalse(settings(engine).containsKey("spark.plugins"), engine);
    }
  }

  @Test
  void enginesLeaveOutStepsOfReading() {
    assertEquals(List.of(), new EngineSettings("ariadne", 2, 1024, 0).properties());
    assertNull(settings("ariadne").get(READ_AHEAD));
    assertEquals(
        List.of("-Dariadne.io.without=coalescing"),
        new EngineSettings("ariadne-no-coalescing", 2, 1024, 0).properties());
    assertEquals("0", settings("ariadne-no-read-ahead").get(READ_AHEAD));
    assertEquals(List.of(), new EngineSettings("ariadne-no-read-ahead", 2, 1024, 0).properties());
    assertEquals("0", settings("ariadne-no-steps").get(READ_AHEAD));
    assertEquals(
        List.of("-D" + ReadStep.PROPERTY + "=" + allSteps()),
        new EngineSettings("ariadne-no-steps", 2, 1024, 0).properties());
  }

  @Test
  void executorsShareCoresAndMemory() {
    Map<String, String> cluster =
        new EngineSettings("ariadne-block-transfer", 4, 4096, 1024, 2).spark();
    assertEquals("local-cluster[2,2,1024]", cluster.get("spark.master"));
    assertEquals("1024m", cluster.get("spark.executor.memory"));
    assertEquals("512m", cluster.get("spark.ariadne.memory.size"));
    assertEquals("spark", cluster.get("spark.ariadne.shuffle.transport"));
    assertEquals("local[4]", new EngineSettings("spark", 4, 4096, 0).spark().get("spark.master"));
  }

  @Test
  void strategiesNeedTheShuffleManager() {
    Map<String, String> move = new EngineSettings("ariadne-move", 2, 4096, 1024, 2).spark();
    assertEquals("move", move.get("spark.ariadne.shuffle.strategy"));
    assertEquals("TransitionCost", move.get("spark.ariadne.disable"));
    assertEquals("io.ariadne.shuffle.AriadneShuffleManager", move.get("spark.shuffle.manager"));
  }

  @Test
  void coresThatExecutorsCannotShareAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new EngineSettings("spark", 3, 1024, 0, 2));
  }

  private static String allSteps() {
    return Arrays.stream(ReadStep.values()).map(ReadStep::text).collect(Collectors.joining(","));
  }

  private static Map<String, String> settings(String engine) {
    return new EngineSettings(engine, 2, 1024, 0).spark();
  }
}
