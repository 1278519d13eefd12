package io.ariadne.it.suites;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which of Spark's tests may fail with the plugin on, where and why: the file {@code
 * spark-suites/spark-LINE.tsv} with suite, test ({@code *} for a suite that does not run at all),
 * kind, sign and sentence. The sign is a text that tells the failure from others: the file and line
 * of Spark's test code that fails, such as {@code DatasetSuite.scala:2293}, or, of the kinds {@code
 * unsupported} and {@code spark}, anything that the failure says; {@code -} for a whole suite.
 */
final class Excludes {
  /** Why a test may fail. None is for a wrong result: that is mended. */
  enum Kind {
    /** Asserts the classes, the text, the metrics or the jobs of a plan of Spark's. */
    PLAN,
    /** Asserts the text of an error, and ours is better. */
    MESSAGE,
    /** Asserts that nothing spills, or what else may not be so where there is little memory. */
    MEMORY,
    /** Wants Spark's operators to spill: where there is little memory, ours do, and it passes. */
    SPILL,
    /** A suite that runs no query, and takes long. */
    UNRELATED,
    /** Ariadne does not support what it asks of a plan that has run there. */
    UNSUPPORTED,
    /**
     * Fails, or cannot run, with Spark alone too: wants what no jar has, or depends on time, on who
     * runs it, or on an order of rows that Spark does not define. It may pass in another run.
     */
    SPARK;

    /** Returns whether the test fails by an assertion, which is in one place. */
    boolean isOfAssertions() {
      return this == PLAN || this == MESSAGE || this == MEMORY || this == SPILL;
    }

    static Kind parse(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * One line.
   *
   * @param suite its class
   * @param test its name, or {@code *}
   * @param kind why
   * @param sign what its failure says, or {@link #NO_SIGN}
   * @param sentence says more
   */
  record Entry(String suite, String test, Kind kind, String sign, String sentence) {
    /**
     * Returns whether the failure is the one that the entry is about. A hang, a crash and a leak
     * never are. Of an assertion, what Spark's {@code QueryTest} says of a wrong answer, or of a
     * query that failed, is none either, nor is an error of Ariadne's where the test waits for
     * another one.
     */
    boolean covers(String failure) {
      String said = PLACE.matcher(sign).matches() ? "(" + sign + ")" : sign;
      if (NEVER.stream().anyMatch(failure::contains) || !failure.contains(said)) {
        return false;
      }
      return !kind.isOfAssertions()
          || ((failure.startsWith(SCALATEST) || isRaisedByTest(failure))
              && WRONG.stream().noneMatch(failure::contains));
    }

    /** Whether Spark's test raised it, not Spark's code, in which it would fail users' queries. */
    private static boolean isRaisedByTest(String failure) {
      Matcher frame = RAISED_BY.matcher(failure);
      return RAISED_BY_TESTS.stream().anyMatch(failure::startsWith)
          && frame.find()
          && (frame.group(1).contains("Suite") || frame.group(1).contains("Test"));
    }

    /** Returns whether the line is stale when the test passes with these settings. */
    boolean mustFail(SuiteSettings settings) {
      return switch (kind) {
        case SPARK, MEMORY -> false;
        case SPILL -> !settings.isMemoryRefused();
        default -> true;
      };
    }

    /** Returns whether the test may fail with these settings. */
    boolean applies(SuiteSettings settings) {
      return kind != Kind.MEMORY || settings.isMemoryRefused();
    }
  }

  private static final String NO_SIGN = "-";

  private static final String SCALATEST = "org.scalatest.exceptions.";

  /** What Spark's tests raise by other means than ScalaTest's, as Spark itself may. */
  private static final List<String> RAISED_BY_TESTS =
      List.of(
          "java.lang.AssertionError: assertion failed",
          "java.lang.IllegalArgumentException: requirement failed",
          // of a test that looks for a node, or for a figure of it
          "java.util.NoSuchElementException: None.get",
          "java.util.NoSuchElementException: head of empty list",
          "java.util.NoSuchElementException: key not found: ",
          "scala.MatchError: Ariadne");

  /** The class of the first stack frame that is of neither Scala's library nor the JDK. */
  private static final Pattern RAISED_BY =
      Pattern.compile(
          "\\n {4}at (?!scala\\.|java\\.|jdk\\.)(?:[^\\s(]*/)?(?:[a-z_0-9]+\\.)*([A-Za-z_0-9]+)");

  private static final Pattern PLACE = Pattern.compile("\\w+\\.(?:scala|java):\\d+");

  /** What no assertion about a plan says: a wrong answer, a failed query, an error of ours. */
  private static final List<String> WRONG =
      List.of(
          "do not match", // of QueryTest and SparkPlanTest
          "Exception thrown while executing query",
          "io.ariadne.error.");

  /** What {@link SuiteAnswers}, {@link SuiteJvm} and {@link LiveBytes} say. */
  private static final List<String> NEVER =
      List.of("hung: nothing for", "the process has died", " bytes are live: ");

  private final Map<List<String>, Entry> entries;

  private Excludes(List<Entry> entries) {
    this.entries =
        entries.stream()
            .collect(Collectors.toMap(e -> List.of(e.suite(), e.test()), Function.identity()));
  }

  /**
   * Reads the file of a Spark line.
   *
   * @param line such as 4.1
   * @throws IllegalArgumentException when a line of it is no entry
   */
  static Excludes read(String line) {
    return of(lines("spark-" + line + ".tsv"));
  }

  static Excludes of(Stream<String> lines) {
    return new Excludes(lines.map(Excludes::entry).toList());
  }

  /** Returns the lines of a resource of this package's that are no comments; none without it. */
  static Stream<String> lines(String name) {
    try (var in = Excludes.class.getResourceAsStream("/spark-suites/" + name)) {
      return in == null
          ? Stream.of()
          : new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(text -> !text.isBlank() && !text.startsWith("#"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Entry entry(String text) {
    List<String> fields = Fields.of(text);
    if (fields.size() != 5 || fields.get(4).isBlank()) {
      throw new IllegalArgumentException("not suite, test, kind, sign, sentence: " + text);
    }
    Entry entry =
        new Entry(
            fields.get(0), fields.get(1), Kind.parse(fields.get(2)), fields.get(3), fields.get(4));
    boolean isWhole = entry.test().equals(TestResult.WHOLE_SUITE);
    if (entry.kind() == Kind.UNRELATED && !isWhole) {
      throw new IllegalArgumentException("only a whole suite can be unrelated: " + text);
    }
    boolean hasSign = !entry.sign().equals(NO_SIGN) && !entry.sign().isBlank();
    if (isWhole == hasSign) {
      throw new IllegalArgumentException("a test needs a sign, a whole suite has none: " + text);
    }
    if (entry.sign().endsWith(".scala:") || entry.sign().endsWith(".java:")) {
      throw new IllegalArgumentException("the sign needs the line as well: " + text);
    }
    if (!isWhole && entry.kind().isOfAssertions() && !PLACE.matcher(entry.sign()).matches()) {
      throw new IllegalArgumentException("the sign must be File.scala:LINE: " + text);
    }
    return entry;
  }

  /** Returns the entry of a test, if it has one of its own. */
  Optional<Entry> of(String suite, String test) {
    return Optional.ofNullable(entries.get(List.of(suite, test)));
  }

  /** Returns the entry that keeps a suite from running, if there is one. */
  Optional<Entry> ofWhole(String suite) {
    return of(suite, TestResult.WHOLE_SUITE);
  }

  /** Returns the entries of single tests of a suite. */
  List<Entry> ofTests(String suite) {
    return entries.values().stream()
        .filter(e -> e.suite().equals(suite) && !e.test().equals(TestResult.WHOLE_SUITE))
        .toList();
  }

  /** Returns the suites that have entries. */
  List<String> suites() {
    return entries.values().stream().map(Entry::suite).distinct().sorted().toList();
  }
}
