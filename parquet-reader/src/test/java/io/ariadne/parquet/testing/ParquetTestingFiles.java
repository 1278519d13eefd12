package io.ariadne.parquet.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The files of apache/parquet-testing, in a folder given by the system property {@link #PROPERTY}.
 * Without it, tests over them are skipped with a message that names the property.
 */
public final class ParquetTestingFiles {
  /** Names the folder {@code data} of a checkout. */
  public static final String PROPERTY = "ariadne.parquet.testing.directory";

  private ParquetTestingFiles() {}

  /** Returns the folder; skips the test when there is none. */
  public static Path folder() {
    String folder = System.getProperty(PROPERTY, "");
    Assumptions.assumeFalse(folder.isEmpty(), "not run: no -D" + PROPERTY + "=<folder>");
    Path path = Path.of(folder).toAbsolutePath();
    if (!Files.isDirectory(path)) {
      throw new IllegalArgumentException(PROPERTY + "=" + folder + " is no folder");
    }
    return path;
  }

  /** Returns all Parquet files that are not encrypted, by name. */
  public static List<Path> files() {
    try (Stream<Path> files = Files.list(folder())) {
      return files.filter(f -> f.toString().endsWith(".parquet")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
