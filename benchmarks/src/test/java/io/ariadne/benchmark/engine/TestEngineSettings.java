package io.ariadne.benchmark.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestEngineSettings {
  private static final String BACKEND = "spark.ariadne.backend";

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

  private static Map<String, String> settings(String engine) {
    return new EngineSettings(engine, 2, 1024, 0).spark();
  }
}
