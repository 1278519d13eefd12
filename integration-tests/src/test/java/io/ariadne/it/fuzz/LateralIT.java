package io.ariadne.it.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.Outcome;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds between Ariadne's own answers, whatever Spark's are: {@code
 * -Dariadne.fuzz.lateralSeconds=N} takes so long for each test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LateralIT {
  private static final long NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("ariadne.fuzz.lateralSeconds", 5));

  /** Fewer comparisons prove nothing. */
  private static final int LEAST = 3;

  private static final int QUERIES_OF_BACK_ENDS =
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
  private Fuzzer fuzzer;
  private PairRunner runner;

  @BeforeAll
  void start() {
    start("cpu");
  }

  private void start(String backEnd) {
    fuzzer =
        new Fuzzer(
            seed,
            folder,
            Map.of("spark.ariadne.backend", backEnd, "spark.ariadne.memory.size", "512m"));
    runner = new PairRunner(fuzzer.newSession());
  }

  @AfterAll
  void stop() {
    fuzzer.close();
  }

  @Test
  void testConditionsDivideRows() {
    checkDivisions(LateralQueries::rows);
  }

  @Test
  void testAggregatesOfPartsAreThoseOfAll() {
    checkDivisions(LateralQueries::aggregates);
  }

  @Test
  void testJoinsEitherWayRound() {
    checkDivisions(LateralQueries::join);
  }

  /** The number of partitions, how joins are done, and how much memory there is. */
  @Test
  void testSettingsDoNotMatter() {
    int compared = 0;
    long deadline = System.nanoTime() + NANOS;
    for (long index = 0; System.nanoTime() < deadline || compared < LEAST; index++) {
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
    System.out.println("queries under other settings: " + compared);
  }

  @Test
  void testBackEndsGiveTheSame() {
    List<List<String>> host = answers();
    stop();
    start("simulated");
    List<List<String>> device = answers();
    int compared = 0;
    for (int i = 0; i < host.size(); i++) {
      int index = i;
      compared += host.get(i) == null ? 0 : 1;
      assertEquals(host.get(i), device.get(i), () -> query(index).sql());
    }
    assertTrue(compared >= LEAST, compared + " compared");
    System.out.println("queries on two back ends: " + compared);
  }

  /** Returns the answers of some queries; null for those that fail. */
  private List<List<String>> answers() {
    List<List<String>> answers = new ArrayList<>();
    for (long index = 0; index < QUERIES_OF_BACK_ENDS; index++) {
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
    for (long index = 0; System.nanoTime() < deadline || compared < LEAST; index++) {
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
    System.out.println("divided: " + compared);
  }

  private static String text(LateralQueries.Division division) {
    return Stream.concat(Stream.of(division.whole()), division.parts().stream())
        .reduce("", (one, other) -> one + "\n" + other);
  }

  /** Returns Ariadne's rows; null where the query fails. */
  private Outcome answer(String sql, Map<String, String> settings, boolean isInLittleMemory) {
    try {
      Outcome outcome = runner.ariadne(sql, settings, isInLittleMemory);
      return outcome.rows() == null ? null : outcome;
    } catch (Exception e) {
      return null; // the analyzer refuses some
    }
  }
}
