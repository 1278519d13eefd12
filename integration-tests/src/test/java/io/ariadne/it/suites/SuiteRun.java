package io.ariadne.it.suites;

import java.util.List;

/**
 * The results of one suite.
 *
 * @param suite its class
 * @param settings what it ran with
 * @param tests its results, in the order in which they came
 * @param seconds how long it took, its process's start not counted
 * @param plans plans that ran to their end
 * @param ourPlans those of them with a node of Ariadne's
 * @param isWhole whether all of its tests ran, not some that were asked for
 * @param hasEnded false when it was killed: it hung, or the gate's time was up
 */
record SuiteRun(
    String suite,
    SuiteSettings settings,
    List<TestResult> tests,
    double seconds,
    int plans,
    int ourPlans,
    boolean isWhole,
    boolean hasEnded) {
  SuiteRun {
    tests = List.copyOf(tests);
  }

  long count(TestResult.Outcome outcome) {
    return tests.stream().filter(test -> test.outcome() == outcome).count();
  }
}
