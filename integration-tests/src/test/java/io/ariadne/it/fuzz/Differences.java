package io.ariadne.it.fuzz;

import io.ariadne.error.EngineException;
import io.ariadne.it.sql.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Describes the differences between two answers. */
final class Differences {
  private static final int MOST_ROWS = 3;
  private static final int MOST_CHARACTERS = 600;

  private static final Pattern LIBRARY = Pattern.compile("(java|jdk|sun|scala)\\.");

  private Differences() {}

  /** Returns the rows that only one answer has, a few of them, or the error that only one has. */
  static String first(Outcome expected, Outcome actual) {
    if (expected.rows() == null || actual.rows() == null) {
      return "Spark:   "
          + shortened(expected.toString())
          + "\nAriadne: "
          + shortened(actual.toString());
    }
    if (expected.rows().equals(actual.rows())) {
      return "rows in another order: of Spark %s, of Ariadne %s"
          .formatted(
              shortened(expected.ordered().toString()), shortened(actual.ordered().toString()));
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

  /**
   * Returns whether Spark never raises an error: it comes from Ariadne's code, not from Spark's or
   * from a function of the tests, and has no condition of Spark's.
   */
  static boolean isOurs(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      boolean hasCondition = Outcome.condition(t) != null;
      if (t instanceof EngineException || (!hasCondition && isThrownByUs(t))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the innermost frame that is not of a library is Ariadne's. */
  private static boolean isThrownByUs(Throwable t) {
    return Arrays.stream(t.getStackTrace())
        .map(StackTraceElement::getClassName)
        .filter(name -> !LIBRARY.matcher(name).lookingAt())
        .findFirst()
        .filter(name -> name.startsWith("io.ariadne.") && !name.startsWith("io.ariadne.it."))
        .isPresent();
  }
}
