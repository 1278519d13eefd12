package io.ariadne.it.suites;

import io.ariadne.it.suites.TestResult.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The verdict over suites that have run: a test that fails and is not excluded is wrong, so is an
 * exclude whose test passes or is not there, and an excluded test that fails otherwise than by what
 * it is excluded for.
 */
final class SuiteReport {
  /**
   * With this many tests in little memory, some must fail because memory is refused, but not most.
   */
  private static final int ENOUGH_TESTS = 300;

  private final Excludes excludes;
  private final Timings timings;
  private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
  private final Map<Excludes.Kind, Integer> excluded = new EnumMap<>(Excludes.Kind.class);
  private final List<String> wrong = new ArrayList<>();
  private boolean isPluginOn;
  private int suites;
  private int plans;
  private int ourPlans;
  private int testsInLittleMemory;
  private int testsRefused;
  private double seconds;

  /**
   * Creates it.
   *
   * @param timings know of which suites plans had nodes of Ariadne's before
   */
  SuiteReport(Excludes excludes, Timings timings) {
    this.excludes = excludes;
    this.timings = timings;
  }

  /** Adds what came of a suite, and returns what is wrong about it. */
  List<String> add(SuiteRun run) {
    List<String> found = new ArrayList<>();
    suites++;
    isPluginOn |= run.settings().isPluginOn();
    plans += run.plans();
    ourPlans += run.ourPlans();
    seconds += run.seconds();
    Set<String> ran = new HashSet<>();
    Set<String> failed = new HashSet<>();
    for (TestResult test : run.tests()) {
      Optional<Excludes.Entry> entry =
          excludes.of(run.suite(), test.test()).filter(e -> e.applies(run.settings()));
      ran.add(test.test());
      if (test.hasFailed()) {
        failed.add(test.test());
      }
      if (test.hasFailed() && entry.isPresent() && entry.get().covers(test.failure())) {
        excluded.merge(entry.get().kind(), 1, Integer::sum);
      } else {
        outcomes.merge(test.outcome(), 1, Integer::sum);
        if (test.hasFailed()) {
          found.add(
              "FAILED %s (%s): %s%n%s"
                  .formatted(run.suite(), run.settings(), test.test(), test.failure()));
        }
      }
    }
    if (run.hasEnded()) {
      excludes.ofTests(run.suite()).stream()
          .filter(entry -> entry.applies(run.settings()))
          .filter(entry -> !(entry.mustFail(run.settings()) ? failed : ran).contains(entry.test()))
          .forEach(entry -> found.add("STALE " + run.suite() + ": " + entry.test()));
      if (run.isWhole()
          && run.ourPlans() == 0
          && run.settings().isPluginOn()
          && timings.hasOurPlans(run.suite())) {
        found.add("NOTHING on Ariadne in " + run.suite() + " (" + run.settings() + ")");
      }
    }
    if (run.settings().isMemoryRefused()) {
      testsInLittleMemory += run.tests().size();
      testsRefused += (int) run.count(Outcome.REFUSED);
    }
    wrong.addAll(found);
    return found;
  }

  /** Returns all that is wrong. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /**
   * Fails when something is wrong, when nothing ran, when Ariadne had no part in it, or when of
   * many tests in little memory none, or more than a quarter, failed because memory was refused.
   *
   * @throws AssertionError with the names of the tests
   */
  void requireNothingWrong() {
    if (suites == 0 || (ourPlans == 0 && plans > 0 && isPluginOn)) {
      throw new AssertionError("nothing ran on Ariadne: " + summary());
    }
    if (testsInLittleMemory >= ENOUGH_TESTS
        && (testsRefused == 0 || testsRefused > testsInLittleMemory / 4)) {
      throw new AssertionError(
          "of %d tests in little memory %d failed because memory was refused: %s"
              .formatted(testsInLittleMemory, testsRefused, summary()));
    }
    if (!wrong.isEmpty()) {
      throw new AssertionError(
          wrong.stream()
              .map(each -> each.lines().findFirst().orElseThrow())
              .collect(Collectors.joining("\n", summary() + "\n", "")));
    }
  }

  /** Says in a few lines what ran and what came of it. */
  String summary() {
    int tests =
        outcomes.values().stream().mapToInt(n -> n).sum()
            + excluded.values().stream().mapToInt(n -> n).sum()
            - outcomes.getOrDefault(Outcome.IGNORED, 0)
            - outcomes.getOrDefault(Outcome.CANCELED, 0);
    return String.format(
        Locale.ROOT,
        "%d suites, %d tests run in %.0f s: outcomes %s, excluded %s, plans %d, with Ariadne %d",
        suites,
        tests,
        seconds,
        outcomes,
        excluded,
        plans,
        ourPlans);
  }
}
