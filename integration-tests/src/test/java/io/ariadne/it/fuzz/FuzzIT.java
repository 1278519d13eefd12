package io.ariadne.it.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.TestingSessions;
import io.ariadne.testing.InEveryBuild;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries with Ariadne off and on: {@code -Dariadne.fuzz.seconds=N} for so long, {@code
 * -Dariadne.fuzz.queries.seed=N} of another seed, {@code fresh} of a new one.
 */
@InEveryBuild
class FuzzIT {
  private static final long SECONDS = Long.getLong("ariadne.fuzz.seconds", 20);
  private static final int THREADS = 2;

  /** So many queries have had every operator. */
  private static final int QUERIES_THAT_TELL = 3000;

  private static final int LEAST_PERCENT_VALID = 95;
  private static final int LEAST_PERCENT_ON_ARIADNE = 50;
  private static final int QUERIES_FOR_SHARES = 200;

  /** Of queries that end in two errors, and of those that Spark leaves open, one in so many. */
  private static final int LEAST_QUERIES_PER_OTHER_ERROR = 20;

  private static final int LEAST_QUERIES_PER_OPEN = 50;

  /** Nodes of which each must have run in a long run. */
  private static final List<String> NODES =
      List.of(
          "AriadneBroadcast",
          "AriadneBroadcastExchange",
          "AriadneCoalesce",
          "AriadneCrossInput",
          "AriadneExpand",
          "AriadneFilter",
          "AriadneHashAggregate",
          "AriadneHashJoin",
          "AriadneImport",
          "AriadneLimit",
          "AriadneLocalTable",
          "AriadneOnePartition",
          "AriadneProject",
          "AriadneRange",
          "AriadneSample",
          "AriadneScan",
          "AriadneShuffleExchange",
          "AriadneSort",
          "AriadneTopN",
          "AriadneUnion");

  @TempDir static Path folder;

  @Test
  void answersAreSparks() {
    try (Fuzzer fuzzer = new Fuzzer(FuzzSeed.get(), folder, Map.of())) {
      fuzzer.run(TimeUnit.SECONDS.toNanos(SECONDS), Long.MAX_VALUE, 1, THREADS);
      FuzzStatistics statistics = fuzzer.statistics();
      System.out.println(statistics.summary() + "\n" + statistics.expressions());
      assertEquals(List.of(), fuzzer.failures());
      requireSubstance(statistics);
      TestingSessions.assertNothingIsLive();
    }
  }

  private static void requireSubstance(FuzzStatistics statistics) {
    if (statistics.queries() >= QUERIES_FOR_SHARES) {
      assertTrue(
          statistics.percentValid() >= LEAST_PERCENT_VALID
              && statistics.percentOnAriadne() >= LEAST_PERCENT_ON_ARIADNE,
          () -> statistics.summary() + "\n" + statistics.refusals());
      assertTrue(
          statistics.queries()
                  > LEAST_QUERIES_PER_OTHER_ERROR * statistics.count(Verdict.Status.OTHER_ERROR)
              && statistics.queries()
                  > LEAST_QUERIES_PER_OPEN * statistics.count(Verdict.Status.OPEN),
          statistics::summary);
    }
    if (statistics.queries() >= QUERIES_THAT_TELL) {
      TreeSet<String> missing = new TreeSet<>(NODES);
      missing.removeAll(statistics.nodes().keySet());
      assertTrue(missing.isEmpty(), () -> missing + " never ran");
    }
  }
}
