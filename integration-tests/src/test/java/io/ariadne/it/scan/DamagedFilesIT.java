package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are damaged, gone or of another shape: Spark's errors, naming the file. */
class DamagedFilesIT extends AbstractScanIT {
  private static final Map<String, String> IGNORING =
      Map.of("spark.sql.files.ignoreCorruptFiles", "true");
  private static final Map<String, String> IGNORING_MISSING =
      Map.of("spark.sql.files.ignoreMissingFiles", "true");
  private static final String QUERY = "select id, s from damaged where id >= 0";

  private List<Path> files;

  @BeforeEach
  void writeFiles() throws IOException {
    session
        .range(0, 3000, 1, 3)
        .selectExpr("id", "concat('value ', id) as s")
        .write()
        .mode("overwrite")
        .parquet(address("damaged"));
    view("damaged", "id bigint, s string");
    // Hadoop's checksums would find every damage before the reader sees it.
    for (Path checksum : files("damaged", ".crc")) {
      Files.delete(checksum);
    }
    files = files("damaged", ".parquet");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 11, 100})
  void testTruncatedFile(int left) throws IOException {
    Path file = files.get(1);
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), left));
    view("damaged", "id bigint, s string");
    checkFails(QUERY, PLAIN, file);
    check(QUERY, IGNORING);
  }

  @Test
  void testFileWithoutItsMagicNumber() throws IOException {
    Path file = files.get(0);
    Files.writeString(file, "these are words and no columns at all");
    view("damaged", "id bigint, s string");
    checkFails(QUERY, PLAIN, file);
    check(QUERY, IGNORING);
  }

  @Test
  void testDamagedPage() throws IOException {
    Path file = files.get(2);
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 4, 24, (byte) 0xff);
    Files.write(file, bytes);
    view("damaged", "id bigint, s string");
    checkFails(QUERY, PLAIN, file);
    check(QUERY, IGNORING);
  }

  @Test
  void testFileThatVanished() throws IOException {
    Path file = files.get(1);
    Files.delete(file);
    checkFails(QUERY, PLAIN, file);
    checkFails(QUERY, IGNORING, file);
    check(QUERY, IGNORING_MISSING);
  }

  @Test
  void testFileOfOtherColumns() throws IOException {
    session.sql("select 'x' as id, 1.5D as s").write().mode("overwrite").parquet(address("other"));
    Path file = files.get(1);
    Files.copy(files("other", ".parquet").get(0), file, StandardCopyOption.REPLACE_EXISTING);
    view("damaged", "id bigint, s string");
    checkFails(QUERY, PLAIN, file);
    checkFails(QUERY, Map.of("spark.sql.parquet.filterPushdown", "false"), file);
    checkFails("select id, s from damaged", PLAIN, file);
    checkFails("select s from damaged", PLAIN, file);
    check(QUERY, IGNORING);
  }

  @Test
  void testFileOfNoBytes() throws IOException {
    Files.write(files.get(1), new byte[0]);
    view("damaged", "id bigint, s string");
    check(QUERY);
  }

  private void checkFails(String sql, Map<String, String> settings, Path file) {
    check(sql, settings);
    settings.forEach(session.conf()::set);
    Outcome outcome = Outcome.of(session, sql);
    settings.keySet().forEach(session.conf()::unset);
    String name = file.getFileName().toString();
    assertTrue(
        outcome.error() != null && outcome.error().contains(name),
        () -> "no error naming " + name + ": " + outcome);
  }

  private List<Path> files(String name, String end) {
    try (Stream<Path> found = Files.walk(folder.resolve(name))) {
      return found.filter(f -> f.toString().endsWith(end)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
