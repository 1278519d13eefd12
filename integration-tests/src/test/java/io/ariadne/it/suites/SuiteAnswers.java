package io.ariadne.it.suites;

import io.ariadne.it.suites.TestResult.Outcome;
import java.util.ArrayList;
import java.util.List;

/** The replies of a process about the suite that it runs ({@link SuiteProcess}). */
final class SuiteAnswers {
  private static final double NANOS = 1e9;
  private static final int STILL_SECONDS = 60;

  private final SuiteQueue.Request request;
  private final long start = System.nanoTime();
  private long latest = start;
  private final List<TestResult> results = new ArrayList<>();
  private String current = TestResult.WHOLE_SUITE;
  private SuiteRun end;

  SuiteAnswers(SuiteQueue.Request request) {
    this.request = request;
  }

  /** Adds an answer; what is none was printed past {@link System#out}, by native code. */
  void add(List<String> answer) {
    latest = System.nanoTime();
    switch (answer.get(0)) {
      case SuiteProcess.BEGIN -> current = answer.get(1);
      case SuiteProcess.RESULT -> {
        results.add(TestResult.of(answer.get(1)));
        current = TestResult.WHOLE_SUITE;
      }
      case SuiteProcess.END ->
          end =
              run(
                  Double.parseDouble(answer.get(1)),
                  Integer.parseInt(answer.get(2)),
                  Integer.parseInt(answer.get(3)),
                  true);
      default -> System.out.println("no answer: " + answer);
    }
  }

  boolean hasEnded() {
    return end != null;
  }

  /** Returns what came of the suite, which {@link #hasEnded has ended}. */
  SuiteRun result() {
    return end;
  }

  /**
   * Returns what came of a suite that was killed because the time was up: it has failed if it had
   * come to a stop before.
   *
   * @param recordedSeconds what it took before
   */
  SuiteRun cutShort(double recordedSeconds) {
    double still = (System.nanoTime() - latest) / NANOS;
    return hasStopped(still, seconds(), recordedSeconds)
        ? failed("hung: nothing for %.0f s when the time was up".formatted(still))
        : run(seconds(), 0, 0, false);
  }

  /**
   * Returns whether a suite hangs that is late: slow machines take twice as long.
   *
   * @param still seconds without a test's begin or end
   */
  static boolean hasStopped(double still, double seconds, double recordedSeconds) {
    return still > STILL_SECONDS && seconds > 2 * recordedSeconds;
  }

  /** Returns what came of a suite in whose running test the process hung or died. */
  SuiteRun failed(String failure) {
    results.add(new TestResult(current, Outcome.FAILED, 0, failure));
    return run(seconds(), 0, 0, false);
  }

  private double seconds() {
    return (System.nanoTime() - start) / NANOS;
  }

  private SuiteRun run(double seconds, int plans, int ours, boolean hasEnded) {
    boolean isWhole = request.tests().isEmpty();
    return new SuiteRun(
        request.suite(), request.settings(), results, seconds, plans, ours, isWhole, hasEnded);
  }
}
