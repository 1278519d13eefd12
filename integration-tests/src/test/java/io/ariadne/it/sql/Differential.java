package io.ariadne.it.sql;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;

/**
 * Runs a query with Ariadne off and on and compares rows or errors.
 *
 * <p>The vacuity gate: the nodes named by the test must be in the plan that ran and have counted
 * something, else the comparison is an error of its own.
 */
final class Differential {
  private static final String ENABLED = "spark.ariadne.enabled";

  static final String FILTER = "AriadneFilterExec";
  static final String PROJECT = "AriadneProjectExec";
  static final String AGGREGATE = "AriadneHashAggregateExec";

  private final SparkSession session;

  Differential(SparkSession session) {
    this.session = session;
  }

  /**
   * Compares a query's outcome.
   *
   * @param sql the query
   * @param settings session settings for both runs, restored afterwards
   * @param nodes simple class names of the nodes that must have run on Ariadne
   */
  void check(String sql, Map<String, String> settings, String... nodes) {
    Map<String, String> before = set(settings);
    try {
      session.conf().set(ENABLED, "false");
      Outcome expected = Outcome.of(session, sql);
      session.conf().set(ENABLED, "true");
      Outcome actual = Outcome.of(session, sql);
      compare(sql, settings, expected, actual);
      requireRan(sql, actual, List.of(nodes));
    } finally {
      session.conf().unset(ENABLED);
      restore(before);
    }
  }

  private static void compare(
      String sql, Map<String, String> settings, Outcome expected, Outcome actual) {
    if (expected.sameAs(actual)) {
      return;
    }
    throw new AssertionError(
        "%s\nwith %s\nSpark:   %s\nAriadne: %s\n%s\n%s"
            .formatted(
                sql, settings, expected, actual, difference(expected, actual), actual.plan()));
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

  private static void requireRan(String sql, Outcome actual, List<String> nodes) {
    ExecutedNodes executed = new ExecutedNodes(actual.plan());
    for (String node : nodes) {
      // No counts to go by after a failure or for an empty answer: then the plan must do.
      boolean countless = actual.error() != null || actual.rows().isEmpty();
      boolean present = countless ? executed.names().contains(node) : executed.ran(node);
      if (!present) {
        throw new VacuousComparisonError(
            node
                + " did not run on Ariadne; of ours ran "
                + executed.names()
                + " in "
                + sql
                + "\n"
                + actual.plan());
      }
    }
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
