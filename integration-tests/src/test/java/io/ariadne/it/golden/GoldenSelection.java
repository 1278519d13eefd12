package io.ariadne.it.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Which of Spark's SQL tests run. */
final class GoldenSelection {
  /** Small files about expressions and aggregates: what runs in each build. */
  private static final List<String> USUAL =
      List.of(
          "bitwise.sql",
          "cast.sql",
          "ceil-floor-with-scale-param.sql",
          "conditional-functions.sql",
          "count.sql",
          "date.sql",
          "decimalArithmeticOperations.sql",
          "group-by.sql",
          "math.sql",
          "nonansi/cast.sql",
          "null-handling.sql",
          "operators.sql",
          "postgreSQL/boolean.sql",
          "postgreSQL/case.sql",
          "postgreSQL/float8.sql",
          "predicate-functions.sql",
          "string-functions.sql",
          "try_arithmetic.sql");

  private static final String ALL = "all";

  /** Statements of the usual files, all three runs of each, that must have run on Ariadne. */
  private static final int LEAST = 3500;

  /** Statements of the usual files that need tables or functions of Spark's own suite. */
  private static final int MOST_NOT_AS_RECORDED = 10;

  private GoldenSelection() {}

  /** Returns the folder into which the build unpacks the tests. */
  static Path root() {
    Path root = Path.of(System.getProperty("ariadne.it.work", "target"), "golden", "sql-tests");
    if (!Files.isDirectory(root)) {
      throw new IllegalStateException(root + " is missing: run Maven's pre-integration-test");
    }
    return root;
  }

  /** Returns the names of the files that are asked for; the usual ones for an empty text. */
  static List<String> of(Path root, String asked) {
    List<String> names = GoldenFile.names(root);
    if (asked.isEmpty()) {
      return names.stream().filter(USUAL::contains).toList();
    }
    List<String> prefixes = asked.equals(ALL) ? List.of("") : List.of(asked.split(","));
    return names.stream().filter(name -> prefixes.stream().anyMatch(name::startsWith)).toList();
  }

  /** Fails when what the usual files compared does not count. */
  static void checkUsual(GoldenCounts total) {
    assertTrue(total.onAriadne() >= LEAST, "only " + total.onAriadne() + " ran on Ariadne");
    assertTrue(
        total.notAsRecorded() <= MOST_NOT_AS_RECORDED,
        total.notAsRecorded() + " were not as recorded");
    assertEquals(0, total.inOtherOrder(), "came in another order");
  }
}
