package io.ariadne.it.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.benchmark.TpchQueries;
import io.ariadne.it.fault.InjectedFaults;
import io.ariadne.it.sql.Outcome;
import io.ariadne.it.sql.TestingSessions;
import io.ariadne.rules.ExecutedPlan;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All queries of TPC-H give Spark's answers, and every operator of theirs runs on Ariadne: rows are
 * made of what a query or a subquery gives, and nowhere else.
 *
 * <p>With what a session is started with, each class has two of the 24 configurations, which are
 * chosen so that those of all classes together have every pair of values. Each query is run with
 * one of the two; with {@code -Dariadne.test.tpch=pairwise} with both, with {@code full} with all
 * 24. {@code -Dariadne.test.tpch.scale} is the scale factor, 0.01 if it is not given.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractTpchIT {
  private static final int QUERIES = 22;
  private static final double SCALE =
      Double.parseDouble(System.getProperty("ariadne.test.tpch.scale", "0.01"));
  private static final String EXTENT = System.getProperty("ariadne.test.tpch", "alternating");

  /** What Spark puts in the place of what it has found to be empty. */
  private static final Set<String> NOTHING = Set.of("EmptyRelation", "LocalTableScan");

  /** Spark's nodes that move or wait for columns, or choose the first rows at a plan's top. */
  private static final Set<String> AROUND =
      Set.of(
          "AdaptiveSparkPlan",
          "AQEShuffleRead",
          "BroadcastQueryStage",
          "ResultQueryStage",
          "ReusedExchange",
          "ReusedSubquery",
          "ShuffleQueryStage",
          "Subquery",
          "TakeOrderedAndProject");

  private final Map<Integer, List<String>> expected = new HashMap<>();
  private SparkSession session;

  /** Returns what the session is started with. */
  abstract Map<String, String> settings();

  /** Returns what is tested unless everything is. */
  abstract List<TpchConfiguration> chosen();

  @BeforeAll
  void start() throws IOException {
    session = TestingSessions.start(settings());
    session.conf().set("spark.ariadne.enabled", "false");
    TpchTables.register(session, SCALE);
  }

  @AfterEach
  void assertNothingIsLive() {
    TestingSessions.assertNothingIsLive();
  }

  @AfterAll
  void stop() {
    TestingSessions.stop(session);
  }

  Stream<Arguments> runs() {
    return IntStream.rangeClosed(1, QUERIES)
        .boxed()
        .flatMap(query -> configurations(query).map(each -> Arguments.of(query, each)));
  }

  private Stream<TpchConfiguration> configurations(int query) {
    return switch (EXTENT) {
      case "alternating" -> Stream.of(chosen().get(query % 2));
      case "pairwise" -> chosen().stream();
      case "full" -> TpchConfiguration.all().stream();
      default -> throw new IllegalArgumentException("-Dariadne.test.tpch=" + EXTENT);
    };
  }

  @ParameterizedTest
  @MethodSource("runs")
  void testEqualsSparksAndRunsOnAriadne(int query, TpchConfiguration configuration) {
    String sql = TpchQueries.text(query, SCALE);
    List<String> rows = expected.computeIfAbsent(query, number -> Outcome.of(session, sql).rows());
    assertFalse(rows == null, "Spark's own run failed");
    configuration.settings().forEach(session.conf()::set);
    session.conf().set("spark.ariadne.enabled", "true");
    try {
      Outcome ours =
          configuration.isScarce()
              ? InjectedFaults.runInLittleMemory(() -> Outcome.of(session, sql))
              : Outcome.of(session, sql);
      assertNull(ours.error(), () -> ours.error() + "\n" + ours.plan());
      assertEquals(rows, ours.rows(), () -> ours.plan().toString());
      assertOnAriadne(ours);
    } finally {
      session.conf().set("spark.ariadne.enabled", "false");
      configuration.settings().keySet().forEach(session.conf()::unset);
    }
  }

  private static void assertOnAriadne(Outcome ours) {
    ExecutedPlan plan = ExecutedPlan.of(ours.plan());
    assertEquals(
        List.of(),
        plan.transitions().stream()
            .filter(each -> !each.isResult() && !NOTHING.contains(each.below()))
            .toList(),
        ours.plan()::toString);
    assertEquals(
        List.of(),
        plan.sparkNodes().stream()
            .filter(name -> !AROUND.contains(name) && !NOTHING.contains(name))
            .toList(),
        ours.plan()::toString);
  }
}
