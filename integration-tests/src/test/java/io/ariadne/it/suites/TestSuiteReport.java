package io.ariadne.it.suites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.suites.TestResult.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TestSuiteReport {
  private static final SuiteSettings HOST = SuiteSettings.parse("host");

  private final SuiteReport report =
      report("a.Suite\tsecond\tplan\tSomeSuite.scala:1\tIt asserts a SortExec.");

  @Test
  void excludedFailureIsCountedByKind() {
    assertEquals(List.of(), report.add(run(true, passed("first"), failed("second"))));
    assertTrue(report.summary().contains("excluded {PLAN=1}"), report.summary());
  }

  @Test
  void otherFailureIsWrong() {
    report.add(run(true, failed("first"), failed("second")));
    assertEquals(1, report.wrong().size());
    assertTrue(report.wrong().get(0).startsWith("FAILED a.Suite (host): first"));
  }

  @Test
  void excludedTestWithAWrongAnswerIsWrong() {
    for (String failure :
        List.of(
            "org.scalatest.exceptions.TestFailedException: \nResults do not match for query:\n"
                + "    at org.apache.spark.sql.SomeSuite.test(SomeSuite.scala:1)",
            "java.lang.NullPointerException: null\n"
                + "    at org.apache.spark.sql.SomeSuite.test(SomeSuite.scala:1)",
            "org.scalatest.exceptions.TestFailedException: Expected exception"
                + " org.apache.spark.SparkException to be thrown, but"
                + " io.ariadne.error.EngineException was thrown\n"
                + "    at org.apache.spark.sql.SomeSuite.test(SomeSuite.scala:1)",
            "org.scalatest.exceptions.TestFailedException: false\n"
                + "    at org.apache.spark.sql.SomeSuite.test(SomeSuite.scala:12)",
            "scala.MatchError: Ariadne\n"
                + "    at org.apache.spark.sql.adaptive.Rule.apply(R.scala:5)\n"
                + "    at org.apache.spark.sql.SomeSuite.test(SomeSuite.scala:1)",
            "java.lang.AssertionError: assertion failed\n"
                + "    at scala.Predef$.assert(Predef.scala:264)\n"
                + "    at org.apache.spark.sql.execution.SortExec.doExecute(SortExec.scala:8)\n"
                + "    at org.apache.spark.sql.SomeSuite.test(SomeSuite.scala:1)")) {
      List<String> wrong =
          report.add(run(true, new TestResult("second", Outcome.FAILED, 1, failure)));
      assertEquals(1, wrong.size());
      assertTrue(wrong.get(0).startsWith("FAILED a.Suite (host): second"));
    }
  }

  @Test
  void excludedTestMayAssertByOtherMeansThanScalaTests() {
    for (String failure :
        List.of(
            "scala.MatchError: AriadneSort\n"
                + "    at org.apache.spark.sql.SomeSuiteBase.f(SomeSuite.scala:1)",
            "java.util.NoSuchElementException: None.get\n"
                + "    at scala.None$.get(Option.scala:627)\n"
                + "    at java.base/java.util.Optional.get(Optional.java:1)\n"
                + "    at org.apache.spark.sql.SomeSuite.$anonfun$new$27(SomeSuite.scala:1)")) {
      TestResult test = new TestResult("second", Outcome.FAILED, 1, failure);
      assertEquals(List.of(), report.add(run(true, test)));
    }
  }

  @Test
  void excludedTestThatPassesIsStale() {
    assertEquals(
        List.of("STALE a.Suite: second"), report.add(run(true, passed("first"), passed("second"))));
  }

  /** A test that wants Spark's operators to spill passes where ours do. */
  @Test
  void excludedTestMayPassInLittleMemory() {
    SuiteReport other = report("a.Suite\tsecond\tspill\tSomeSuite.scala:1\tIt wants a spill.");
    SuiteSettings refused = SuiteSettings.parse("host,refused");
    List<TestResult> passed = List.of(passed("first"), passed("second"));
    SuiteRun run = new SuiteRun("a.Suite", refused, passed, 1, 7, 1, true, true);
    assertEquals(List.of(), other.add(run));
    assertEquals(List.of("STALE a.Suite: second"), report.add(run));
    assertEquals(
        List.of("STALE a.Suite: second"), other.add(run(true, passed("first"), passed("second"))));
  }

  /** What is excluded where there is little memory passes elsewhere. */
  @Test
  void excludeForLittleMemory() {
    SuiteReport other = report("a.Suite\tsecond\tmemory\tSomeSuite.scala:1\tIt wants no spill.");
    SuiteSettings refused = SuiteSettings.parse("host,refused");
    List<TestResult> both = List.of(passed("first"), failed("second"));
    assertEquals(List.of(), other.add(new SuiteRun("a.Suite", refused, both, 1, 7, 1, true, true)));
    assertEquals(1, other.add(run(true, passed("first"), failed("second"))).size());
    assertEquals(List.of(), other.add(run(true, passed("first"), passed("second"))));
    List<TestResult> passed = List.of(passed("first"), passed("second"));
    assertEquals(
        List.of(), other.add(new SuiteRun("a.Suite", refused, passed, 1, 7, 1, true, true)));
    assertEquals(
        List.of("STALE a.Suite: second"),
        other.add(new SuiteRun("a.Suite", refused, passed.subList(0, 1), 1, 7, 1, true, true)));
  }

  /** What Spark alone fails on one machine it may pass on another. */
  @Test
  void excludeForSparkAlone() {
    SuiteReport other = report("a.Suite\tsecond\tspark\tException: false\tIt fails for root.");
    assertEquals(List.of(), other.add(run(true, passed("first"), failed("second"))));
    assertEquals(List.of(), other.add(run(true, passed("first"), passed("second"))));
    assertEquals(List.of("STALE a.Suite: second"), other.add(run(true, passed("first"))));
  }

  /** Neither a failure without the sign nor a hang, a crash or a leak is what a test is for. */
  @Test
  void excludeCoversNoOtherFailure() {
    SuiteReport other = report("a.Suite\tsecond\tspark\tdenied\tIt fails for root.");
    for (String failure :
        List.of(
            "java.io.IOException: no space",
            "hung: nothing for 240 s\ndenied",
            "the process has died\ndenied",
            "java.io.IOException: denied\n512 bytes are live: x")) {
      TestResult test = new TestResult("second", Outcome.FAILED, 1, failure);
      assertEquals(1, other.add(run(true, passed("first"), test)).size(), failure);
    }
    TestResult test = new TestResult("second", Outcome.FAILED, 1, "java.io.IOException: denied");
    assertEquals(List.of(), other.add(run(true, passed("first"), test)));
  }

  @Test
  void excludedTestThatIsNotThereIsStale() {
    assertEquals(List.of("STALE a.Suite: second"), report.add(run(true, passed("first"))));
  }

  @Test
  void nothingOfAriadnesIsWrong() {
    assertThrows(AssertionError.class, report::requireNothingWrong);
    report.add(new SuiteRun("b.Suite", HOST, List.of(passed("first")), 1, 7, 0, true, true));
    assertThrows(AssertionError.class, report::requireNothingWrong);
    report.add(new SuiteRun("c.Suite", HOST, List.of(passed("first")), 1, 7, 1, true, true));
    report.requireNothingWrong();
  }

  /** Of two suites the second had plans with nodes of Ariadne's when it was recorded. */
  @Test
  void suiteThatDoesNotRunOnAriadneAnyMoreIsWrong() {
    SuiteReport other = new SuiteReport(Excludes.of(Stream.of()), Timings.of(Map.of(), "b.Suite"));
    List<TestResult> tests = List.of(passed("first"));
    assertEquals(List.of(), other.add(new SuiteRun("a.Suite", HOST, tests, 1, 7, 0, true, true)));
    assertEquals(List.of(), other.add(new SuiteRun("b.Suite", HOST, tests, 1, 7, 0, false, true)));
    assertEquals(List.of(), other.add(new SuiteRun("b.Suite", HOST, tests, 1, 7, 1, true, true)));
    assertEquals(
        List.of("NOTHING on Ariadne in b.Suite (host)"),
        other.add(new SuiteRun("b.Suite", HOST, tests, 1, 7, 0, true, true)));
  }

  @Test
  void refusedMemoryFailsSomeTestsButFew() {
    for (int refused : new int[] {0, 1, 75, 76}) {
      SuiteReport other = report("a.Suite\ts\tspark\tdenied\tIt fails for root.");
      List<TestResult> tests = new ArrayList<>(Collections.nCopies(300 - refused, passed("s")));
      tests.addAll(Collections.nCopies(refused, new TestResult("t", Outcome.REFUSED, 1, "")));
      SuiteSettings settings = SuiteSettings.parse("host,refused");
      other.add(new SuiteRun("a.Suite", settings, tests, 1, 7, 1, true, true));
      if (refused == 0 || refused == 76) {
        assertThrows(AssertionError.class, other::requireNothingWrong);
      } else {
        other.requireNothingWrong();
      }
    }
  }

  @Test
  void suiteThatHasStoppedIsNotOnlyCutShort() {
    assertTrue(SuiteAnswers.hasStopped(61, 101, 50));
    assertFalse(SuiteAnswers.hasStopped(61, 99, 50));
    assertFalse(SuiteAnswers.hasStopped(59, 500, 50));
  }

  @Test
  void suiteThatIsCutShortHasNoStaleExcludes() {
    assertEquals(List.of(), report.add(run(false, passed("first"))));
  }

  @Test
  void excludeNeedsItsFields() {
    for (String wrong :
        List.of(
            "a.Suite\tsecond\tplan\tSomeSuite.scala:1\t ",
            "a.Suite\tsecond\tplan\t-\tIt asserts a SortExec.",
            "a.Suite\tsecond\tplan\tSomeSuite.scala\tIt asserts a SortExec.",
            "a.Suite\tsecond\tspark\t-\tIt fails for root.",
            "a.Suite\t*\tspark\tdenied\tIt fails for root.",
            "a.Suite\tsecond\twrong\t-\tIt is.",
            "a.Suite\tsecond\tunrelated\t-\tIt tests a store.")) {
      assertThrows(IllegalArgumentException.class, () -> Excludes.of(Stream.of(wrong)), wrong);
    }
    Excludes.of(Stream.of("a.Suite\t*\tunrelated\t-\tIt tests a store."));
  }

  @Test
  void resultsSurviveTheirLine() {
    TestResult result = new TestResult("tab\there", Outcome.FAILED, 5, "a\\n\nb\r\\");
    assertEquals(result, TestResult.of(result.toLine()));
  }

  private static SuiteReport report(String exclude) {
    return new SuiteReport(Excludes.of(Stream.of(exclude)), Timings.of(Map.of()));
  }

  private static SuiteRun run(boolean hasEnded, TestResult... tests) {
    return new SuiteRun("a.Suite", HOST, List.of(tests), 1, 0, 0, true, hasEnded);
  }

  private static TestResult passed(String test) {
    return new TestResult(test, Outcome.PASSED, 1, "");
  }

  private static TestResult failed(String test) {
    return new TestResult(
        test,
        Outcome.FAILED,
        1,
        "org.scalatest.exceptions.TestFailedException: false\n"
            + "    at org.apache.spark.sql.SomeSuite.$anonfun$new$27(SomeSuite.scala:1)");
  }
}
