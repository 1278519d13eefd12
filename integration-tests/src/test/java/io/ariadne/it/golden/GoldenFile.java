package io.ariadne.it.golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One of Spark's SQL tests: a result file under {@code sql-tests/results}, which repeats the
 * statements of its input file, and the settings that the input file asks for. The format is that
 * of Spark's {@code SQLQueryTestSuite}.
 *
 * @param name the input file's path below {@code sql-tests/inputs}
 * @param settings session settings beside those of {@link #mode}
 * @param statements in the order in which they run
 */
record GoldenFile(String name, Map<String, String> settings, List<GoldenStatement> statements) {
  private static final String SET = "--SET ";
  private static final int PARTS = 3;

  /** Reads one test. */
  static GoldenFile read(Path root, String name) {
    try {
      String results = Files.readString(root.resolve("results").resolve(name + ".out"));
      return new GoldenFile(
          name, settings(root.resolve("inputs").resolve(name)), statements(results));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the names of all tests, sorted. */
  static List<String> names(Path root) {
    Path inputs = root.resolve("inputs");
    try (Stream<Path> files = Files.walk(inputs)) {
      return files
          .map(file -> inputs.relativize(file).toString())
          .filter(name -> Files.exists(root.resolve("results").resolve(name + ".out")))
          .filter(name -> name.endsWith(".sql"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the settings that Spark's suite chooses by a test's folder.
   *
   * @param isAnsiDefault whether this Spark is in ANSI mode where nothing is said
   */
  Map<String, String> mode(boolean isAnsiDefault) {
    boolean isAnsi =
        name.startsWith("ansi/")
            || name.startsWith("postgreSQL/")
            || (isAnsiDefault && !name.startsWith("nonansi/"));
    Map<String, String> mode = new TreeMap<>();
    mode.put("spark.sql.ansi.enabled", Boolean.toString(isAnsi));
    if (name.startsWith("timestampNTZ/")) {
      mode.put("spark.sql.timestampType", "TIMESTAMP_NTZ");
    }
    mode.putAll(settings);
    return mode;
  }

  private static Map<String, String> settings(Path input) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    for (String line : Files.readAllLines(input)) {
      if (line.startsWith(SET)) {
        for (String setting : line.substring(SET.length()).split(",")) {
          String[] pair = setting.split("=", 2);
          settings.put(pair[0].strip(), pair[1].strip());
        }
      }
    }
    return settings;
  }

  private static List<GoldenStatement> statements(String results) {
    String[] parts = results.split("-- !query.*\n", -1);
    List<GoldenStatement> statements = new ArrayList<>();
    for (int i = 1; i + PARTS <= parts.length; i += PARTS) {
      statements.add(
          new GoldenStatement(
              parts[i].strip(), parts[i + 1].strip(), parts[i + 2].stripTrailing()));
    }
    return statements;
  }
}
