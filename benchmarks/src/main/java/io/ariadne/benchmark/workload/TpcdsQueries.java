package io.ariadne.benchmark.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The TPC-DS queries of Spark's tests: 99 templates with the validation parameters of TPC-DS 1.4,
 * four of them in two variants.
 */
public final class TpcdsQueries {
  private static final int TEMPLATES = 99;

  /** Templates with two variants, {@code a} and {@code b}. */
  private static final Set<Integer> DOUBLE = Set.of(14, 23, 24, 39);

  private TpcdsQueries() {}

  /** Returns the names of all queries, {@code q1} to {@code q99}. */
  static List<String> all() {
    List<String> names = new ArrayList<>();
    for (int number = 1; number <= TEMPLATES; number++) {
      if (DOUBLE.contains(number)) {
        names.add("q" + number + "a");
        names.add("q" + number + "b");
      } else {
        names.add("q" + number);
      }
    }
    return names;
  }

  /**
   * Parses a selection.
   *
   * @param selection {@code all}, or names such as {@code 3} or {@code 14a}, separated by commas
   */
  public static List<String> parse(String selection) {
    if (selection.equals("all")) {
      return all();
    }
    Set<String> valid = new TreeSet<>(all());
    List<String> names = Arrays.stream(selection.split(",")).map(n -> "q" + n.trim()).toList();
    for (String name : names) {
      if (!valid.contains(name)) {
        throw new IllegalArgumentException(
            "'"
                + name.substring(1)
                + "' is not a TPC-DS query; give 'all' or numbers from 1 to 99 (14, 23, 24, 39"
                + " with a or b)");
      }
    }
    return names;
  }

  /** Returns the text of a query. */
  static String text(String name) {
    String resource = "/tpcds/" + name + ".sql";
    try (InputStream in = TpcdsQueries.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the build has not unpacked " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }
}
