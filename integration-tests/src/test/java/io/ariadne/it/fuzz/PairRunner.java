package io.ariadne.it.fuzz;

import io.ariadne.it.fault.InjectedFaults;
import io.ariadne.it.fuzz.Verdict.Status;
import io.ariadne.it.sql.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;

/**
 * Runs queries with Ariadne off and on, in one session, and compares.
 *
 * <p>Rows must be equal as multisets, bit for bit; NaN is NaN. Where the query ends in an order, it
 * must be the same. If both fail, any two errors of Spark's are equal: of several rows and
 * expressions that fail, which one is met first is luck, where tasks run at once. Rows or an error
 * that Spark gives as well when it generates code, or when it plans in another way, are not a
 * difference: the query leaves open what it asks for.
 */
final class PairRunner {
  private static final String ENABLED = "spark.ariadne.enabled";

  private static final String ORDER = " ORDER BY ";

  private final SparkSession session;
  private final Map<String, String> set = new HashMap<>();
  private final Map<String, String> only = new HashMap<>();

  PairRunner(SparkSession session) {
    this.session = session;
  }

  /** Sets what only Ariadne's side gets: a fault that is to be found. */
  void onlyWithAriadne(Map<String, String> settings) {
    only.clear();
    only.putAll(settings);
  }

  SparkSession session() {
    return session;
  }

  /** Runs a query both ways. */
  Verdict run(String sql, Map<String, String> settings, boolean isInLittleMemory) {
    Outcome expected;
    try {
      expected = spark(sql, settings);
    } catch (Exception | StackOverflowError e) {
      // The analyzer computes some constants, which may fail.
      return new Verdict(Status.INVALID, e.toString().strip(), null, null);
    }
    if (expected.failure() instanceof StackOverflowError) {
      // Constraints can grow in Spark's optimizer; how far depends on the size of its frames.
      return new Verdict(Status.INVALID, expected.failure().toString(), null, null);
    }
    Outcome actual = ariadne(sql, settings, isInLittleMemory);
    Verdict verdict = compare(sql, expected, actual);
    if (!verdict.isDifferent()) {
      return verdict;
    }
    String variant = variantOf(sql, settings, actual);
    if (variant != null) {
      return new Verdict(Status.OPEN, variant, expected, actual);
    }
    String fault = KnownDifferences.openFault(sql, verdict.detail());
    return fault == null ? verdict : new Verdict(Status.KNOWN, fault, expected, actual);
  }

  /** Runs a query without Ariadne. */
  Outcome spark(String sql, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(ENABLED, "false");
    apply(all);
    return Outcome.of(session, sql);
  }

  /** Runs a query with Ariadne. */
  Outcome ariadne(String sql, Map<String, String> settings, boolean isInLittleMemory) {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(only);
    all.put(ENABLED, "true");
    apply(all);
    Supplier<Outcome> query = () -> Outcome.of(session, sql);
    return isInLittleMemory
        ? InjectedFaults.runInLittleMemory(InjectedFaults.LEAST_LEFT_BYTES, query)
        : query.get();
  }

  /** Returns in which other way Spark gives an answer, too; null for none. */
  private String variantOf(String sql, Map<String, String> settings, Outcome actual) {
    for (KnownDifferences.Variant variant : KnownDifferences.variants()) {
      Map<String, String> other = new HashMap<>(settings);
      other.putAll(variant.settings());
      try {
        if (compare(sql, spark(sql, other), actual).isSame()) {
          return variant.reason();
        }
      } catch (Exception e) {
        continue; // refused under these settings
      }
    }
    return null;
  }

  /**
   * Returns whether the query has an order that is not that of a part in parentheses; it tells all
   * its rows apart. Constants have no parentheses.
   */
  static boolean endsInOrder(String sql) {
    int open = 0;
    for (int i = 0; i < sql.length(); i++) {
      open += sql.charAt(i) == '(' ? 1 : sql.charAt(i) == ')' ? -1 : 0;
      if (open == 0 && sql.startsWith(ORDER, i)) {
        return true;
      }
    }
    return false;
  }

  private static Verdict compare(String sql, Outcome expected, Outcome actual) {
    boolean isInOrder = !endsInOrder(sql) || Objects.equals(expected.ordered(), actual.ordered());
    if (expected.sameAs(actual) && isInOrder) {
      Status status = expected.error() == null ? Status.SAME_ROWS : Status.SAME_ERROR;
      return new Verdict(status, "", expected, actual);
    }
    if (expected.error() == null || actual.error() == null) {
      return new Verdict(Status.DIFFERENT, Differences.first(expected, actual), expected, actual);
    }
    boolean isOurs = Differences.isOurs(actual.failure());
    return new Verdict(
        isOurs ? Status.DIFFERENT : Status.OTHER_ERROR,
        expected.error() + "\n" + actual.error(),
        expected,
        actual);
  }

  private void apply(Map<String, String> settings) {
    Set<String> gone = new HashSet<>(set.keySet());
    gone.removeAll(settings.keySet());
    gone.forEach(session.conf()::unset);
    set.keySet().removeAll(gone);
    settings.forEach(
        (key, value) -> {
          if (!value.equals(set.put(key, value))) {
            session.conf().set(key, value);
          }
        });
  }
}
