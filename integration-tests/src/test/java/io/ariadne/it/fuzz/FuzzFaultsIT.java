package io.ariadne.it.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The fuzzer finds faults that Ariadne's side is given, each within 10,000 queries. Queries without
 * what a fault is about are counted but not run, which spares a build their time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzFaultsIT {
  private static final int MOST_QUERIES = 10_000;

  @TempDir static Path folder;

  private final Map<PlantedFault, Integer> found = new EnumMap<>(PlantedFault.class);
  private final long seed = FuzzSeed.get();
  private Fuzzer fuzzer;
  private PairRunner runner;

  @BeforeAll
  void start() {
    fuzzer =
        new Fuzzer(
            seed,
            folder,
            Map.of(
                "spark.sql.extensions", PlantedFaults.class.getName(),
                "spark.ariadne.backend", "cpu",
                "spark.ariadne.memory.size", "512m"));
    runner = new PairRunner(fuzzer.newSession());
  }

  @ParameterizedTest
  @EnumSource(PlantedFault.class)
  void isFound(PlantedFault fault) {
    runner.onlyWithAriadne(fault.settings());
    int runs = 0;
    for (int index = 0; index < MOST_QUERIES; index++) {
      FuzzQuery query = FuzzQuery.of(seed, index, fuzzer.tables().all());
      if (!fault.mayShow(query)) {
        continue;
      }
      runs++;
      Verdict verdict = runner.run(query.sql(), query.settings(), query.isInLittleMemory());
      if (verdict.isDifferent() && isOfFault(fault, query, verdict)) {
        System.out.printf(
            "%s: found by query %d, %d of them run: %s%n%s%n",
            fault, index, runs, verdict.detail(), query.sql());
        found.put(fault, index);
        break;
      }
    }
    assertTrue(found.containsKey(fault), "not found: " + fault);
  }

  /** Returns whether Ariadne gave the wrong rows, and gives the right ones without the fault. */
  private boolean isOfFault(PlantedFault fault, FuzzQuery query, Verdict verdict) {
    if (verdict.ariadne().rows() == null || !ExecutedPlan.of(verdict.ariadne().plan()).hasRun()) {
      return false;
    }
    runner.onlyWithAriadne(Map.of());
    Verdict without = runner.run(query.sql(), query.settings(), query.isInLittleMemory());
    runner.onlyWithAriadne(fault.settings());
    assertFalse(without.isDifferent(), () -> without.detail() + "\n" + query.sql());
    return true;
  }

  @AfterAll
  void stop() {
    System.out.println("planted faults, and the queries that found them: " + found);
    fuzzer.close();
  }
}
