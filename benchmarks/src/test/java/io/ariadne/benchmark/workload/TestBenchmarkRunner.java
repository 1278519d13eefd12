package io.ariadne.benchmark.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.report.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs queries on engines that are shell scripts: each answers a query as its text says. */
class TestBenchmarkRunner {
  private static final String ENGINE =
      """
      echo '{"versions": {"shell": "1"}}'
      while IFS="$(printf '\\t')" read -r name query; do
        case $query in
          die) echo 'out of memory' >&2; exit 3 ;;
          hang) echo $$ > hanging; exec sleep 1000 ;;
          lose) echo '[warning] a message of the JVM'
            echo '{"error": "illegal address", "lostDevice": "an illegal address"}' ;;
          fail) echo '{"error": "no such table"}' ;;
          *)
            echo '{"seconds": 1.5, "rows": 1, "resultHash": "'$query'", "answerFile": "",
              "operators": 0, "accelerated": 0, "peakBytes": 0, "cpuSeconds": 2.5,
              "scan": {"requests": 7}}' | tr -d '\\n'
            echo
            ;;
        esac
      done
      echo '{"stopped": true, "liveBytes": 0}'
      """;

  @TempDir Path folder;
  private final List<List<String>> reported = new ArrayList<>();
  private String script = ENGINE;
  private int starts;

  @Test
  void reportsEachQueryAsSoonAsItIsMeasured() throws IOException {
    List<Measurement> measured = run(Duration.ofMinutes(5), "one", "two");
    assertEquals(List.of(List.of("one"), List.of("one", "two")), reported);
    assertEquals(List.of(1.5, 1.5), measured.get(0).seconds);
    assertEquals(List.of(2.5, 2.5), measured.get(0).cpuSeconds);
    Map<String, Long> scan = Map.of("requests", 7L);
    assertEquals(List.of(scan, scan), measured.get(0).scans);
    assertEquals(1, starts);
  }

  @Test
  void startsAnEngineAgainAfterAQueryThatEndsIt() throws IOException {
    List<Measurement> measured = run(Duration.ofMinutes(5), "die", "one");
    assertTrue(measured.get(0).error.contains("spark ended unexpectedly"), measured.get(0).error);
    assertTrue(measured.get(0).error.contains("out of memory"), measured.get(0).error);
    assertNull(measured.get(1).error);
    assertEquals(2, starts);
  }

  @Test
  void killsAnEngineWhoseQueryTakesTooLong() throws IOException {
    List<Measurement> measured = run(Duration.ofSeconds(1), "hang", "one");
    assertTrue(measured.get(0).error.contains("did not answer within 1 s"), measured.get(0).error);
    long pid = Long.parseLong(Files.readString(folder.resolve("hanging")).strip());
    assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
    assertNull(measured.get(1).error);
    assertEquals(2, starts);
  }

  @Test
  void startsAnEngineAgainThatHasLostItsGpu() throws IOException {
    List<Measurement> measured = run(Duration.ofMinutes(5), "lose", "one");
    assertEquals("the GPU was lost: an illegal address", measured.get(0).error);
    assertNull(measured.get(1).error);
    assertEquals(2, starts);
  }

  @Test
  void failsAllQueriesOfAnEngineThatDoesNotStartAgain() throws IOException {
    script = "[ -e started ] && exit 5; touch started\n" + ENGINE;
    List<Measurement> measured = run(Duration.ofMinutes(5), "die", "one", "two");
    for (Measurement each : measured.subList(1, 3)) {
      assertTrue(each.error.contains("ended unexpectedly"), each.error);
    }
    assertEquals(2, starts);
  }

  @Test
  void goesOnWithTheSameEngineAfterAnError() throws IOException {
    List<Measurement> measured = run(Duration.ofMinutes(5), "fail", "one");
    assertEquals("no such table", measured.get(0).error);
    assertNull(measured.get(1).error);
    assertEquals(1, starts);
  }

  @Test
  void anEngineThatDoesNotStartEndsTheRun() {
    BenchmarkRunner.Starter starter =
        engine -> EngineProcess.start("spark", List.of("sh", "-c", "exit 4"), log());
    BenchmarkRunner runner = new BenchmarkRunner(plan(Duration.ofMinutes(5), "one"), starter);
    assertThrows(EngineProcess.EndedException.class, () -> runner.run((m, v) -> {}));
  }

  private List<Measurement> run(Duration limit, String... queries) throws IOException {
    BenchmarkRunner.Starter starter =
        engine -> {
          starts++;
          return EngineProcess.start("spark", List.of("sh", "-c", script), log());
        };
    try (BenchmarkRunner runner = new BenchmarkRunner(plan(limit, queries), starter)) {
      return runner.run(
          (measured, versions) -> {
            reported.add(measured.stream().map(m -> m.query).toList());
            assertEquals("1", versions.get("spark.shell"));
          });
    }
  }

  private Path log() {
    return folder.resolve("spark.log");
  }

  private static BenchmarkRunner.Plan plan(Duration limit, String... queries) {
    List<BenchmarkQuery> all = new ArrayList<>();
    for (String query : queries) {
      all.add(new BenchmarkQuery(query, query));
    }
    return new BenchmarkRunner.Plan(
        List.of(new EngineSettings("spark", 1, 1024, 0)), all, 1, 2, limit);
  }
}
