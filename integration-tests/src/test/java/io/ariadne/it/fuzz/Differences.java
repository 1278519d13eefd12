package io.ariadne.it.fuzz;

import io.ariadne.error.EngineException;
import io.ariadne.it.sql.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Says in words what differs between two answers. */
final class Differences {
  private static final int MOST_ROWS = 3;
  private static final int MOST_CHARACTERS = 600;

  private Differences() {}

  /** Returns the rows that only one answer has, a few of them, or the error that only one has. */
  static String first(Outcome expected, Outcome actual) {
    if (expected.rows() == null || actual.rows() == null) {
      return "Spark:   "
          + shortened(expected.toString())
          + "\nAriadne: "
          + shortened(actual.toString());
    }
    List<String> missing = new ArrayList<>(expected.rows());
    List<String> added = new ArrayList<>();
    for (String row : actual.rows()) {
      if (!missing.remove(row)) {
        added.add(row);
      }
    }
    return "%d and %d rows; only of Spark %d: %s; only of Ariadne %d: %s"
        .formatted(
            expected.rows().size(),
            actual.rows().size(),
            missing.size(),
            shortened(missing.stream().limit(MOST_ROWS).toList().toString()),
            added.size(),
            shortened(added.stream().limit(MOST_ROWS).toList().toString()));
  }

  private static String shortened(String text) {
    return text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) + "..." : text;
  }

  /** Returns whether an error is one that Spark never raises. */
  static boolean isOurs(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      boolean isOfEngine =
          t instanceof EngineException
              || t instanceof AssertionError
              || t instanceof NullPointerException
              || t instanceof IndexOutOfBoundsException
              || t instanceof ClassCastException
              || t instanceof IllegalStateException;
      if (isOfEngine && isThrownByUs(t)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isThrownByUs(Throwable t) {
    StackTraceElement[] stack = t.getStackTrace();
    return t instanceof EngineException
        || (stack.length > 0 && stack[0].getClassName().startsWith("io.ariadne"));
  }
}
