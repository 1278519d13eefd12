package io.ariadne.it.sql;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.it.fault.InjectedFaults;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.Exchange;

/**
 * Runs a query with Ariadne off and on, half of the queries with faults ({@link InjectedFaults}),
 * and compares rows or errors; {@link VacuityGate} decides whether the comparison counts.
 */
public final class Differential {
  private static final String ENABLED = "spark.ariadne.enabled";

  /** Which errors count as the same. */
  public enum Errors {
    /** Those of the same condition and message, of queries that read one partition. */
    SAME,
    /** Those of the same condition and message, of queries of which only one file can fail. */
    SAME_OF_ONE_FILE,
    /** All: Spark 3.5 does not always say which file it could not read. */
    ANY
  }

  private final SparkSession session;
  private final Errors errors;

  public Differential(SparkSession session) {
    this(session, Errors.SAME);
  }

  /** Creates a comparison by which a query may fail in another way. */
  public Differential(SparkSession session, Errors errors) {
    this.session = session;
    this.errors = errors;
  }

  /**
   * Compares a query's outcome, which proves nothing about Ariadne but that it does no harm.
   *
   * @param sql the query
   * @param settings session settings for both runs, restored afterwards
   */
  public void checkHarmless(String sql, Map<String, String> settings) {
    outcome(sql, settings);
  }

  /**
   * Compares a query's outcome and requires that Ariadne did what the test is about.
   *
   * @param sql the query
   * @param settings session settings for both runs, restored afterwards
   * @param claim what must have run on Ariadne
   * @throws VacuousComparisonError when it did not
   */
  public void check(String sql, Map<String, String> settings, Coverage claim) {
    VacuityGate.require(claim, sql, outcome(sql, settings));
  }

  /**
   * Runs a query on both sides, compares, and returns Ariadne's outcome, for the caller to look at
   * what ran.
   *
   * @param sql the query
   * @param settings session settings for both runs, restored afterwards
   */
  public Outcome outcome(String sql, Map<String, String> settings) {
    Map<String, String> before = set(settings);
    try {
      session.conf().set(ENABLED, "false");
      Outcome expected = Outcome.of(session, sql);
      session.conf().set(ENABLED, "true");
      Outcome actual =
          InjectedFaults.run(
              session,
              sql + new TreeMap<>(settings),
              () -> Outcome.of(session, sql),
              Outcome::failure);
      compare(sql, settings, expected, actual);
      return actual;
    } finally {
      session.conf().unset(ENABLED);
      restore(before);
    }
  }

  private void compare(String sql, Map<String, String> settings, Outcome expected, Outcome actual) {
    boolean bothFail = expected.error() != null && actual.error() != null;
    if (errors == Errors.SAME && expected.error() != null && readsSeveralPartitions(expected)) {
      throw new AssertionError(
          "which task fails first is luck: " + sql + " must read one file\n" + expected.plan());
    }
    if (expected.sameAs(actual) || (errors == Errors.ANY && bothFail)) {
      return;
    }
    throw new AssertionError(
        "%s\nwith %s\nSpark:   %s\nAriadne: %s\n%s\n%s\n%s"
            .formatted(
                sql,
                settings,
                expected,
                actual,
                difference(expected, actual),
                actual.plan(),
                InjectedFaults.describe()));
  }

  private static boolean readsSeveralPartitions(Outcome outcome) {
    return outcome.plan() != null && readsSeveralPartitions(outcome.plan());
  }

  private static boolean readsSeveralPartitions(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return readsSeveralPartitions(adaptive.executedPlan());
    }
    if (plan instanceof QueryStageExec || plan instanceof Exchange) {
      return false; // behind an exchange all tasks may fail alike
    }
    return plan instanceof FileSourceScanExec scan
        ? scan.inputRDD().getNumPartitions() > 1
        : ScalaCollections.<SparkPlan>list(plan.children()).stream()
            .anyMatch(Differential::readsSeveralPartitions);
  }

  private static String difference(Outcome expected, Outcome actual) {
    if (expected.rows() == null || actual.rows() == null) {
      return "";
    }
    int length = Math.min(expected.rows().size(), actual.rows().size());
    for (int i = 0; i < length; i++) {
      if (!expected.rows().get(i).equals(actual.rows().get(i))) {
        return "first difference, sorted row "
            + i
            + ":\n"
            + expected.rows().get(i)
            + "\n"
            + actual.rows().get(i);
      }
    }
    return "row counts differ: " + expected.rows().size() + " and " + actual.rows().size();
  }

  private Map<String, String> set(Map<String, String> settings) {
    Map<String, String> before = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          before.put(key, session.conf().get(key, null));
          session.conf().set(key, value);
        });
    return before;
  }

  private void restore(Map<String, String> before) {
    before.forEach(
        (key, value) -> {
          if (value == null) {
            session.conf().unset(key);
          } else {
            session.conf().set(key, value);
          }
        });
  }
}
