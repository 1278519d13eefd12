package io.ariadne.rules;

import io.ariadne.bridge.UndeclaredExceptions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.sql.execution.SparkPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps failures of Ariadne's planning away from queries: when planning fails, the plan stays as it
 * was. Each reason is logged once. Thread-safe.
 */
final class PlanningGuard {
  private static final Logger LOG = LoggerFactory.getLogger(PlanningGuard.class);
  private static final int MAX_LOGGED_FAILURES = 1000;

  private final Set<String> loggedFailures = ConcurrentHashMap.newKeySet();

  /**
   * Rewrites a plan.
   *
   * <p>Whatever is thrown means that nothing is rewritten: Scala code throws checked exceptions
   * without saying so, deep plans run out of stack, and another patch release of Spark may lack a
   * method. Only what the process does not survive, as {@link OutOfMemoryError}, is passed on.
   *
   * @param plan the plan
   * @param settings whether failures are thrown after all, as tests want
   * @param rewrite makes the new plan
   * @return the new plan, or the old one after a failure
   */
  SparkPlan rewrite(SparkPlan plan, RulesConfig settings, Supplier<SparkPlan> rewrite) {
    try {
      return Objects.requireNonNull(rewrite.get(), "no plan");
    } catch (Exception | StackOverflowError | LinkageError e) {
      if (settings.rethrowPlanningErrors()) {
        throw UndeclaredExceptions.raise(e); // also Spark's AnalysisException, as Spark throws it
      }
      logOnce(e);
      return plan;
    }
  }

  private void logOnce(Throwable failure) {
    String reason = failure.toString();
    if (loggedFailures.size() < MAX_LOGGED_FAILURES && loggedFailures.add(reason)) {
      LOG.warn("planning for Ariadne failed, the plan stays as it was: {}", reason, failure);
    }
  }
}
