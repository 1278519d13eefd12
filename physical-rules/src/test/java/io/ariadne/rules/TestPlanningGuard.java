package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.Test;

/** Whatever our planning throws, the query goes on with the plan it had. */
class TestPlanningGuard {
  private static final RulesConfig QUIET =
      new RulesConfig(true, ExplainMode.NONE, Set.of(), OptionalLong.empty(), false);
  private static final RulesConfig LOUD =
      new RulesConfig(true, ExplainMode.NONE, Set.of(), OptionalLong.empty(), true);

  private final PlanningGuard guard = new PlanningGuard();
  private final SparkPlan before = new TestingBrokenExec(null);
  private final SparkPlan after = new TestingBrokenExec(null);

  @Test
  void usesThePlan() {
    assertSame(after, guard.rewrite(before, QUIET, () -> after));
  }

  @Test
  void failureLeavesThePlanAsItWas() {
    assertSame(before, guard.rewrite(before, QUIET, () -> thrown(new IllegalStateException("a"))));
    assertSame(before, guard.rewrite(before, QUIET, () -> thrown(new FileNotFoundException("b"))));
    assertSame(before, guard.rewrite(before, QUIET, () -> thrown(new NoSuchMethodError("c"))));
    assertSame(before, guard.rewrite(before, QUIET, () -> endless(1)));
    assertSame(before, guard.rewrite(before, QUIET, () -> null));
  }

  @Test
  void failureIsRethrownInTests() {
    RuntimeException failure = new IllegalStateException("a");
    assertSame(failure, assertThrows(RuntimeException.class, () -> loud(failure)));
    Exception checked = new FileNotFoundException("b");
    assertSame(checked, assertThrows(FileNotFoundException.class, () -> loud(checked)));
  }

  @Test
  void fatalErrorsAreRethrown() {
    Error error = new OutOfMemoryError("made up");
    assertEquals(
        error,
        assertThrows(
            OutOfMemoryError.class, () -> guard.rewrite(before, QUIET, () -> thrown(error))));
  }

  private SparkPlan loud(Throwable failure) {
    return guard.rewrite(before, LOUD, () -> thrown(failure));
  }

  private SparkPlan endless(int depth) {
    return depth < 0 ? before : endless(depth + 1);
  }

  /** Throws anything, as Scala code may. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> SparkPlan thrown(Throwable failure) throws E {
    throw (E) failure;
  }
}
