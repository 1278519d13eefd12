package io.ariadne.benchmark.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TestRoundsRun {
  @Test
  void divergenceIsThatOfKullbackAndLeibler() {
    Map<Object, Double> half = Map.of("a", 0.5, "b", 0.5);
    Map<Object, Double> quarter = Map.of("a", 0.25, "b", 0.75);
    assertEquals(0, RoundsRun.divergence(half, half));
    assertEquals(
        0.5 * Math.log(2) + 0.5 * Math.log(2 / 3.0), RoundsRun.divergence(half, quarter), 1e-12);
    assertEquals(Math.log(4), RoundsRun.divergence(Map.of("a", 1.0), quarter), 1e-12);
  }
}
