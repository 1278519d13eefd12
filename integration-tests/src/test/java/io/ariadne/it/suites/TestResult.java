package io.ariadne.it.suites;

/**
 * What came of one of Spark's tests.
 *
 * @param test its name, {@link #WHOLE_SUITE} for what is the matter with its suite
 * @param outcome how it ended
 * @param millis how long it ran
 * @param failure class, message and first frames of what it failed with, else empty
 */
record TestResult(String test, Outcome outcome, long millis, String failure) {
  /** Stands for the suite: its constructor, what it does before and after all tests, its time. */
  static final String WHOLE_SUITE = "*";

  /** How a test can end. */
  enum Outcome {
    PASSED,
    FAILED,
    /** Found that it cannot run here, such as one that needs Python. */
    CANCELED,
    /** Switched off by Spark. */
    IGNORED,
    /**
     * Failed for want of memory; where that is refused, it passed when it was run again without.
     */
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
