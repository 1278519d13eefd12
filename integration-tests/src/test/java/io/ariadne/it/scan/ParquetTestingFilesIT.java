package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The files of the apache/parquet-testing repository, read by Spark and by Ariadne: equal rows, or
 * both fail. {@code -Dariadne.parquet.testing.directory} names their folder; without it the test is
 * skipped.
 */
@EnabledIfSystemProperty(
    named = ParquetTestingFilesIT.DIRECTORY,
    matches = ".+",
    disabledReason = "no folder with the files of apache/parquet-testing is given")
class ParquetTestingFilesIT extends AbstractScanIT {
  static final String DIRECTORY = "ariadne.parquet.testing.directory";

  /** Files that Spark's vectorised reader fails on and Ariadne reads. */
  private static final Set<String> ONLY_OURS =
      Set.of(
          "byte_array_decimal.parquet",
          "byte_stream_split.zstd.parquet",
          "non_hadoop_lz4_compressed.parquet");

  @Test
  void readsEveryFileAsSparkDoes() throws IOException {
    List<String> differences = new ArrayList<>();
    int read = 0;
    for (Path file : files()) {
      String name = file.getFileName().toString();
      if (!register(file)) {
        System.out.println(name + ": Spark finds no schema");
        continue;
      }
      Outcome sparks = run("false");
      Outcome ours = run("true");
      boolean isOurs = ours.plan().toString().contains(SCAN);
      boolean isSame =
          sparks.rows() == null
              ? ours.rows() == null || ONLY_OURS.contains(name)
              : sparks.rows().equals(ours.rows());
      System.out.println(
          name
              + ": "
              + (isSame ? "same" : "DIFFERENT")
              + (isOurs ? "" : ", Spark's reader")
              + (sparks.rows() == null ? ", fails" : ", " + sparks.rows().size() + " rows"));
      if (isOurs && sparks.rows() != null) {
        read++;
      }
      if (!isSame) {
        differences.add(name + "\n  Spark: " + brief(sparks) + "\n  Ariadne: " + brief(ours));
      }
    }
    assertEquals("", String.join("\n", differences));
    assertTrue(read > 20, "only " + read + " files were read by Ariadne");
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty(DIRECTORY)))) {
      return files
          .filter(file -> file.toString().endsWith(".parquet"))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  private boolean register(Path file) {
    try {
      session.read().parquet(file.toUri().toString()).createOrReplaceTempView("given");
      return true;
    } catch (Exception e) {
      // Damaged files and types Spark does not know: whatever it throws, there is nothing to read.
      return false;
    }
  }

  private Outcome run(String enabled) {
    session.conf().set("spark.ariadne.enabled", enabled);
    try {
      return Outcome.of(session, "select * from given");
    } finally {
      session.conf().unset("spark.ariadne.enabled");
    }
  }

  private static String brief(Outcome outcome) {
    String text = outcome.toString();
    return text.substring(0, Math.min(600, text.length()));
  }
}
