package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.ArrayList;
import java.util.List;

/** Finds the map outputs that this process has in memory. */
final class InMemoryOutputs {
  /** More shuffles, and more attempts of tasks, than a test begins. */
  private static final int MOST_SHUFFLES = 1000;

  private static final long MOST_ATTEMPTS = 5000;

  /** The output of an attempt. */
  record Output(int shuffleId, long mapId) {}

  private InMemoryOutputs() {}

  static List<Output> all() {
    MapOutputs kept = MapOutputs.of(ProcessRuntime.get());
    List<Output> found = new ArrayList<>();
    for (int shuffle = 0; shuffle < MOST_SHUFFLES; shuffle++) {
      for (long map = 0; map < MOST_ATTEMPTS; map++) {
        if (kept.has(shuffle, map)) {
          found.add(new Output(shuffle, map));
        }
      }
    }
    return found;
  }

  static void forgetAll() {
    MapOutputs kept = MapOutputs.of(ProcessRuntime.get());
    all().forEach(output -> kept.forget(output.shuffleId(), output.mapId()));
    assertEquals(0, kept.count());
  }
}
