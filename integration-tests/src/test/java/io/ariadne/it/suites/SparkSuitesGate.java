package io.ariadne.it.suites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Spark's own SQL test suites with the plugin on; what may fail is in {@link Excludes}. See
 * docs/developer/spark-suites.md for the properties.
 */
class SparkSuitesGate {
  private static final int DISCOVERY_SECONDS = 120;

  /** Seconds without a test's begin or end after which a process is taken to hang. */
  private static final int IDLE = 240;

  private final String line = property("ariadne.it.spark.line", "");
  private final Excludes excludes = Excludes.read(line);
  private final Timings timings = Timings.read(line);
  private final Set<String> ran = new HashSet<>();

  @Test
  void sparkSuitesPassWithThePluginOn() throws Exception {
    SuitesLayout layout = SuitesLayout.prepare();
    List<String> all = discover(layout);
    excludes.suites().forEach(s -> assertTrue(all.contains(s), s + " is excluded, but not there"));
    timings.suites().forEach(s -> assertTrue(all.contains(s), s + " is recorded, but not there"));
    List<String> chosen = choose(all);
    SuiteQueue queue =
        new SuiteQueue(
            chosen.stream().map(this::request).toList(),
            timings,
            Double.parseDouble(property("ariadne.suites.minutes", "0")));
    SuiteReport report = new SuiteReport(excludes, timings);
    try (PrintStream results =
        new PrintStream(Files.newOutputStream(layout.root().resolve("results.tsv")))) {
      new SuiteForks(
              layout,
              queue,
              run -> tell(report, run, results),
              Integer.getInteger("ariadne.suites.idle", IDLE))
          .run(Integer.getInteger("ariadne.suites.forks", 1));
    }
    requireTestsRan();
    queue.left().forEach(suite -> System.out.println("no time for " + suite));
    System.out.println(report.summary());
    report.requireNothingWrong();
  }

  private List<String> discover(SuitesLayout layout) throws IOException, InterruptedException {
    try (SuiteJvm jvm = new SuiteJvm(layout, layout.logs().resolve("discovery.log"))) {
      return jvm.discover(DISCOVERY_SECONDS);
    }
  }

  /** Without what is excluded as a whole, of which it tells; then the part that is asked for. */
  private List<String> choose(List<String> all) {
    List<String> candidates =
        all.stream().filter(suite -> excludes.ofWhole(suite).isEmpty()).toList();
    System.out.println(
        all.size() + " suites of Spark " + line + ", " + candidates.size() + " of them run");
    String only = property("ariadne.suites.only", "");
    if (!only.isEmpty()) {
      Pattern pattern = Pattern.compile(only);
      return candidates.stream().filter(suite -> pattern.matcher(suite).find()).toList();
    }
    boolean isRecordedOnly = Boolean.getBoolean("ariadne.suites.recorded");
    List<String> read =
        candidates.stream().filter(s -> !isRecordedOnly || timings.isRecorded(s)).toList();
    System.out.println(candidates.size() - read.size() + " of them are left out: not recorded yet");
    Shard shard = Shard.parse(property("ariadne.suites.shard", "1/1"));
    List<String> chosen = shard.of(read, timings, order());
    System.out.printf(
        "shard %d/%d: %d suites of about %.0f s, round %d, order %d%n",
        shard.number(), shard.count(), chosen.size(), timings.sum(chosen), round(), order());
    return chosen;
  }

  private static long round() {
    return Long.parseLong(property("ariadne.suites.round", "0"));
  }

  /** By the number of an order, suites that CI has no time for come first in another run. */
  private static long order() {
    return Long.parseLong(property("ariadne.suites.order", "0"));
  }

  /** Fails when a test that was asked for is in none of the suites. */
  private void requireTestsRan() {
    String tests = property("ariadne.suites.tests", "");
    List<String> missing = new ArrayList<>(tests.isEmpty() ? List.of() : Fields.of(tests));
    missing.removeAll(ran);
    assertEquals(List.of(), missing, "in none of the suites");
  }

  private SuiteQueue.Request request(String suite) {
    String settings = property("ariadne.suites.settings", "");
    String tests = property("ariadne.suites.tests", "");
    return new SuiteQueue.Request(
        suite,
        settings.isEmpty() ? SuiteSettings.of(suite, round()) : SuiteSettings.parse(settings),
        tests.isEmpty() ? List.of() : Fields.of(tests));
  }

  /** Writes what came of a suite to the file of results, and prints a line, and what is wrong. */
  private void tell(SuiteReport report, SuiteRun run, PrintStream results) {
    List<String> wrong = report.add(run);
    System.out.printf(
        "%s (%s): %.1f s, %s passed, %s failed, plans %d, with Ariadne %d%s%n",
        run.suite(),
        run.settings(),
        run.seconds(),
        run.count(TestResult.Outcome.PASSED),
        run.count(TestResult.Outcome.FAILED),
        run.plans(),
        run.ourPlans(),
        run.hasEnded() ? "" : ", killed");
    wrong.forEach(System.out::println);
    run.tests().forEach(test -> ran.add(test.test()));
    run.tests()
        .forEach(
            t ->
                results.println(
                    Fields.line(
                        run.suite(),
                        run.settings(),
                        t.outcome(),
                        t.test(),
                        t.millis(),
                        t.failure())));
    results.println(
        Fields.line(
            run.suite(), run.settings(), "SUITE", run.seconds(), run.plans(), run.ourPlans()));
    results.flush();
  }

  private static String property(String name, String otherwise) {
    String value = System.getProperty(name);
    return value == null || value.isBlank() ? otherwise : value;
  }
}
