package io.ariadne.it.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.workload.TpchQueries;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.it.fault.InjectedFaults;
import io.ariadne.it.sql.Outcome;
import io.ariadne.it.sql.TestingSessions;
import io.ariadne.rules.ExecutedPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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
 * 24. {@code -Dariadne.test.tpch.scale} is the scale factor, 0.01 if it is not given; with 1 or
 * more {@code -Dariadne.test.waits=full} belongs to it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractTpchIT {
  private static final int QUERIES = 22;
  private static final double SCALE =
      Double.parseDouble(System.getProperty("ariadne.test.tpch.scale", "0.01"));
  private static final String EXTENT = System.getProperty("ariadne.test.tpch", "alternating");

  /** What Spark puts in the place of what it has found to be empty. */
  private static final Set<String> NOTHING = Set.of("EmptyRelation", "LocalTableScan");

  /** Set where there is a device. */
  static final String BACKEND = "spark.ariadne.backend";

  /** The memory by which operators decide to divide rows; little of it may be free. */
  private static final String MEMORY = SCALE < 0.1 ? "auto" : "512m";

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

  private final Map<Integer, List<String>> expected = new ConcurrentHashMap<>();
  private SparkSession session;
  private int scarceRuns;
  private long movedBytes;

  /** Returns what the session is started with. */
  abstract Map<String, String> settings();

  /** Returns what is tested unless everything is. */
  abstract List<TpchConfiguration> chosen();

  @BeforeAll
  void start() throws IOException {
    Map<String, String> settings = new HashMap<>(settings());
    settings.put("spark.ariadne.memory.size", MEMORY);
    session = TestingSessions.start(settings);
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
    assertTrue(scarceRuns == 0 || movedBytes > 0, "nothing has left memory, little as there was");
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
  void equalsSparksAndRunsOnAriadne(int query, TpchConfiguration configuration) {
    String sql = TpchQueries.text(query, SCALE);
    List<String> rows = expected(query);
    configuration.settings().forEach(session.conf()::set);
    session.conf().set("spark.ariadne.enabled", "true");
    try {
      Outcome ours = configuration.isScarce() ? scarce(sql) : faulted(sql, configuration);
      assertNull(ours.error(), () -> ours.error() + "\n" + ours.plan());
      assertEquals(rows, ours.rows(), () -> ours.plan().toString());
      assertOnAriadne(ours);
    } finally {
      session.conf().set("spark.ariadne.enabled", "false");
      configuration.settings().keySet().forEach(session.conf()::unset);
    }
  }

  private Outcome scarce(String sql) {
    long before = ProcessRuntime.get().movedBytes();
    Outcome outcome =
        InjectedFaults.runInLittleMemory(littleBytes(), () -> Outcome.of(session, sql));
    scarceRuns++;
    movedBytes += ProcessRuntime.get().movedBytes() - before;
    return outcome;
  }

  /**
   * Returns what is left where there is little memory. What cannot leave it, tables of broadcasts
   * and the batches that tasks work on, is small where TPC-H's tables are, and large nowhere; a
   * device has memory of its own for much of it.
   */
  private long littleBytes() {
    if (SCALE < 0.1) {
      return InjectedFaults.LEAST_LEFT_BYTES;
    }
    return InjectedFaults.LEAST_LEFT_BYTES * (settings().containsKey(BACKEND) ? 4 : 8);
  }

  /** Half of the queries have faults. */
  private Outcome faulted(String sql, TpchConfiguration configuration) {
    return InjectedFaults.run(
        session, sql + configuration, () -> Outcome.of(session, sql), Outcome::failure);
  }

  @Test
  void concurrentQueriesGiveTheSameAnswers() {
    List<Integer> queries = List.of(1, 6, 3, 13, 18, 4);
    queries.forEach(this::expected);
    queries.parallelStream().forEach(this::runInSessionOfItsOwn);
  }

  private void runInSessionOfItsOwn(int query) {
    SparkSession own = session.newSession();
    try {
      TpchTables.register(own, SCALE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Outcome ours = Outcome.of(own, TpchQueries.text(query, SCALE));
    assertNull(ours.error(), () -> ours.error() + "\n" + ours.plan());
    assertEquals(expected(query), ours.rows(), () -> ours.plan().toString());
    assertOnAriadne(ours);
  }

  /** Returns Spark's answer, computed while Ariadne is off. */
  private List<String> expected(int query) {
    return expected.computeIfAbsent(
        query,
        number -> {
          Outcome sparks = Outcome.of(session, TpchQueries.text(number, SCALE));
          assertNull(sparks.error(), sparks::error);
          return sparks.rows();
        });
  }

  private static void assertOnAriadne(Outcome ours) {
    ExecutedPlan plan = ExecutedPlan.of(ours.plan());
    assertFalse(plan.nodes().isEmpty(), ours.plan()::toString);
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
