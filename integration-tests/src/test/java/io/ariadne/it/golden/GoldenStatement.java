package io.ariadne.it.golden;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A statement of one of Spark's SQL tests and what Spark's developers recorded as its outcome.
 *
 * @param sql the statement
 * @param schema the schema of its result; {@code struct<>} for commands and errors
 * @param output rows in Hive's form, one or more lines for each; or an error's class and
 *     description
 */
record GoldenStatement(String sql, String schema, String output) {
  private static final Pattern QUERY =
      Pattern.compile("(select|with|values|from|table|\\()\\b?.*", Pattern.DOTALL);

  private static final Pattern COMMENT =
      Pattern.compile("^\\s*(--[^\n]*\n|/\\*.*?\\*/)", Pattern.DOTALL);

  /** Returns whether the statement asks for rows and changes nothing. */
  boolean isQuery() {
    String text = sql;
    for (String shorter = null; !text.equals(shorter); ) {
      shorter = text;
      text = COMMENT.matcher(text).replaceFirst("").stripLeading();
    }
    String lower = text.toLowerCase(java.util.Locale.ROOT);
    return QUERY.matcher(lower).matches() && !lower.contains("insert into");
  }

  /** Returns whether Spark's parser or analyzer refuses the statement. */
  boolean isRefused() {
    return output.startsWith("org.apache.spark.sql.")
        && output.lines().findFirst().orElse("").endsWith("Exception");
  }

  /** Returns whether an outcome is the recorded one, rows in any order. */
  boolean isAnsweredBy(GoldenAnswer answer) {
    return schema.equals(answer.schema())
        && lines(output).sorted().toList().equals(lines(answer.output()).sorted().toList());
  }

  /**
   * Returns whether an outcome is the recorded one, its order too if the statement asks for one.
   */
  boolean isAnsweredInOrderBy(GoldenAnswer answer) {
    return isAnsweredBy(answer)
        && (!answer.isOrdered() || lines(output).toList().equals(lines(answer.output()).toList()));
  }

  private static Stream<String> lines(String text) {
    return Arrays.stream(text.split("\n", -1)).map(String::stripTrailing);
  }
}
