package io.ariadne.it.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.it.sql.Outcome;
import io.ariadne.rules.ExecutedPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests properties that Ariadne's answers must have among each other, independently of Spark's:
 * {@code -Dariadne.fuzz.lateralSeconds=N} takes so long for each test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LateralIT {
  private static final long NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("ariadne.fuzz.lateralSeconds", 5));

  /** Fewer comparisons prove nothing. */
  private static final int LEAST = 3;

  private static final int MOST_FAILURES = 100;

  private static final int ALL_ROWS = 65_536;
  private static final int FEW_ROWS = 64;

  private static final int QUERIES_OF_APPLICATIONS =
      Integer.getInteger("ariadne.fuzz.lateralQueries", 40);

  private static final Map<String, String> PLAIN =
      Map.of(
          FuzzSettings.ANSI,
          "false",
          "spark.ariadne.disable",
          "TransitionCost",
          "spark.sql.codegen.wholeStage",
          "false",
          "spark.sql.codegen.factoryMode",
          "NO_CODEGEN");

  @TempDir static Path folder;

  private final long seed = FuzzSeed.get();
  private int answered;
  private int onAriadne;
  private Fuzzer fuzzer;
  private PairRunner runner;

  @BeforeAll
  void start() {
    start("cpu", ALL_ROWS);
  }

  private void start(String backEnd, int batchRows) {
    fuzzer =
        new Fuzzer(
            seed,
            folder,
            Map.of("spark.ariadne.backend", backEnd, "spark.ariadne.memory.size", "512m"),
            batchRows);
    runner = new PairRunner(fuzzer.newSession());
  }

  @BeforeEach
  void countAnew() {
    answered = 0;
    onAriadne = 0;
  }

  @AfterAll
  void stop() {
    fuzzer.close();
  }

  @Test
  void conditionsDivideRows() {
    checkDivisions(LateralQueries::rows);
  }

  @Test
  void aggregatesOfPartsAreThoseOfAll() {
    checkDivisions(LateralQueries::aggregates);
  }

  @Test
  void joinsEitherWayRoundMatchesSpark() {
    checkDivisions(LateralQueries::join);
  }

  /** The number of partitions, how joins are done, and how much memory there is. */
  @Test
  void settingsDoNotMatter() {
    int compared = 0;
    long deadline = System.nanoTime() + NANOS;
    long index = 0;
    for (; isOngoing(index, compared, deadline); index++) {
      FuzzQuery query = query(index);
      Map<String, String> others = new TreeMap<>(PLAIN);
      others.putAll(query.settings());
      others.put(FuzzSettings.ANSI, "false");
      Map<String, String> plain = new TreeMap<>(PLAIN);
      plain.put(FuzzSettings.ZONE, others.get(FuzzSettings.ZONE));
      Outcome one = answer(query.sql(), plain, false);
      Outcome other = answer(query.sql(), others, true);
      if (one != null && other != null) {
        compared++;
        assertEquals(one.rows(), other.rows(), () -> query.sql() + "\n" + plain + "\n" + others);
      }
    }
    requireMost(compared, index, 4);
    System.out.println("queries under other settings: " + compared);
  }

  @Test
  void backEndsGiveTheSame() {
    checkApplications("simulated", ALL_ROWS);
  }

  @Test
  void batchesOfFewRowsGiveTheSame() {
    checkApplications("cpu", FEW_ROWS);
  }

  /** Compares the running application's answers with a new one's; later tests use the new one. */
  private void checkApplications(String backEnd, int batchRows) {
    List<List<String>> first = answers();
    stop();
    start(backEnd, batchRows);
    assertEquals(batchRows, ProcessRuntime.get().config().batchRows());
    List<List<String>> second = answers();
    int compared = 0;
    for (int i = 0; i < first.size(); i++) {
      int index = i;
      compared += first.get(i) == null ? 0 : 1;
      assertEquals(first.get(i), second.get(i), () -> query(index).sql());
    }
    requireMost(compared, first.size(), 4);
    System.out.println(
        "queries on " + backEnd + ", batches of " + batchRows + " rows: " + compared);
  }

  /** Returns the answers of some queries; null for those that fail. */
  private List<List<String>> answers() {
    List<List<String>> answers = new ArrayList<>();
    for (long index = 0; index < QUERIES_OF_APPLICATIONS; index++) {
      Outcome outcome = answer(query(index).sql(), PLAIN, false);
      answers.add(outcome == null ? null : outcome.rows());
    }
    return answers;
  }

  /** A query by chance; samples are of other rows where partitions are others. */
  private FuzzQuery query(long index) {
    long candidate = index * 1000;
    FuzzQuery query = FuzzQuery.of(seed, candidate, fuzzer.tables().all());
    while (query.sql().contains("TABLESAMPLE")) {
      query = FuzzQuery.of(seed, ++candidate, fuzzer.tables().all());
    }
    return query;
  }

  private void checkDivisions(Function<LateralQueries, LateralQueries.Division> form) {
    int compared = 0;
    long deadline = System.nanoTime() + NANOS;
    long index = 0;
    for (; isOngoing(index, compared, deadline); index++) {
      LateralQueries.Division division =
          form.apply(new LateralQueries(Chance.of(seed, index), fuzzer.tables().all()));
      List<Outcome> parts = new ArrayList<>();
      for (String part : division.parts()) {
        parts.add(answer(part, PLAIN, false));
      }
      Outcome whole = answer(division.whole(), PLAIN, false);
      if (whole != null && !parts.contains(null)) {
        compared++;
        List<String> together =
            parts.stream().flatMap((Outcome part) -> part.rows().stream()).sorted().toList();
        assertEquals(whole.rows(), together, () -> text(division));
      }
    }
    requireMost(compared, index, 2);
    System.out.println("divided: " + compared);
  }

  private static boolean isOngoing(long attempts, int compared, long deadline) {
    return System.nanoTime() < deadline || (compared < LEAST && attempts < MOST_FAILURES);
  }

  /**
   * Some queries fail, Spark computes some alone, and of some no node has rows.
   *
   * @param share one answer in so many, and more, is Ariadne's
   */
  private void requireMost(int compared, long attempts, int share) {
    assertTrue(
        compared >= LEAST && compared > attempts / 2 && onAriadne > answered / share,
        () ->
            "of %d only %d were compared; of %d answers %d by Ariadne"
                .formatted(attempts, compared, answered, onAriadne));
  }

  private static String text(LateralQueries.Division division) {
    return Stream.concat(Stream.of(division.whole()), division.parts().stream())
        .reduce("", (one, other) -> one + "\n" + other);
  }

  /** Returns Ariadne's rows; null where the query fails, which must not be for Ariadne. */
  private Outcome answer(String sql, Map<String, String> settings, boolean isInLittleMemory) {
    Outcome outcome;
    try {
      outcome = runner.ariadne(sql, settings, isInLittleMemory);
    } catch (Exception e) {
      return null; // the analyzer refuses some
    }
    assertFalse(
        outcome.error() != null && Differences.isOurs(outcome.failure()),
        () -> sql + "\n" + settings + "\n" + outcome);
    if (outcome.rows() == null) {
      return null;
    }
    answered++;
    onAriadne += ExecutedPlan.of(outcome.plan()).hasRun() ? 1 : 0;
    return outcome;
  }
}
