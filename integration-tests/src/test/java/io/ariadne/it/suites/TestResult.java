package io.ariadne.it.suites;

/**
 * The result of one of Spark's tests.
 *
 * @param test its name, {@link #WHOLE_SUITE} for what is the matter with its suite
 * @param outcome how it ended
 * @param millis how long it ran
 * @param failure class, message and first frames of what it failed with, else empty
 */
record TestResult(String test, Outcome outcome, long millis, String failure) {
  /** Represents the suite: its constructor, its code before and after all tests, its time. */
  static final String WHOLE_SUITE = "*";

  /** How a test can end. */
  enum Outcome {
    PASSED,
    FAILED,
    /** Cannot run here, for example because it needs Python. */
    CANCELED,
    /** Switched off by Spark. */
    IGNORED,
    /** Failed because memory was refused, and passed in another run without refusals. */
    REFUSED
  }

  boolean hasFailed() {
    return outcome == Outcome.FAILED;
  }

  TestResult as(Outcome other) {
    return new TestResult(test, other, millis, failure);
  }

  String toLine() {
    return Fields.line(test, outcome, millis, failure);
  }

  static TestResult of(String line) {
    var fields = Fields.of(line);
    return new TestResult(
        fields.get(0),
        Outcome.valueOf(fields.get(1)),
        Long.parseLong(fields.get(2)),
        fields.get(3));
  }
}
