package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

/**
 * Tests files that are damaged, missing or of another schema: errors are Spark's and name the file.
 */
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

  /** Hadoop's local file system says of a folder what it says of no file. */
  @Test
  void folderInPlaceOfFileMatchesSpark() throws IOException {
    Path file = files.get(1);
    Files.delete(file);
    Files.createDirectory(file);
    checkFails(QUERY, PLAIN, file);
    checkFails(QUERY, IGNORING, file);
    check(QUERY, IGNORING_MISSING);
  }

  @Test
  void damagedFooterMatchesSpark() throws IOException {
    Path file = files.get(1);
    byte[] sound = Files.readAllBytes(file);
    int end = sound.length - 8;
    int start = end - ByteBuffer.wrap(sound).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    for (int i = 0; i < 4; i++) {
      byte[] bytes = sound.clone();
      Arrays.fill(bytes, start + 10 * i, start + 10 * i + 30, (byte) 0xff);
      Files.write(file, bytes);
      checkFails(QUERY, PLAIN);
      check(QUERY, IGNORING);
    }
    byte[] bytes = sound.clone();
    Arrays.fill(bytes, end, end + 4, (byte) 0x7f);
    Files.write(file, bytes);
    checkFails(QUERY, PLAIN);
  }

  /** What Spark 3.5 says of the first rows of a file is not what it says of later ones. */
  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.5, 0.9})
  void damagedBlockFailsAsInSpark(double place) throws IOException {
    write(
        session.range(0, 20_000, 1, 1).selectExpr("xxhash64(id) as id"),
        "damaged",
        Map.of("compression", "gzip", "parquet.page.size", "4000"));
    files = files("damaged", ".parquet");
    Files.delete(files("damaged", ".crc").get(0));
    byte[] bytes = Files.readAllBytes(files.get(0));
    int from = (int) (place * bytes.length);
    Arrays.fill(bytes, from, from + 40, (byte) 0xff);
    Files.write(files.get(0), bytes);
    view("damaged", "id bigint");
    checkFails("select sum(id) from damaged", PLAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"uncompressed", "snappy", "gzip", "zstd"})
  void wrongChecksumsAndBlocksFailAsInSpark(String codec) throws IOException {
    write(
        session.range(0, 3000, 1, 1).toDF("id"),
        "damaged",
        Map.of("compression", codec, "parquet.page.write-checksum.enabled", "true"));
    files = files("damaged", ".parquet");
    Files.delete(files("damaged", ".crc").get(0));
    byte[] bytes = Files.readAllBytes(files.get(0));
    Arrays.fill(bytes, 60, 90, (byte) 0xff);
    Files.write(files.get(0), bytes);
    view("damaged", "id bigint");
    String query = "select sum(id) from damaged";
    checkFails(query, Map.of("parquet.page.verify-checksum.enabled", "true"), files.get(0));
    if (!codec.equals("uncompressed")) {
      checkFails(query, PLAIN, files.get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void fieldsThatDifferInCaseOnly(String isCaseSensitive) {
    session.conf().set("spark.sql.caseSensitive", "true");
    String struct = "named_struct('dup', id, 'DUP', id + 1, 'other', id + 2)";
    write(
        session
            .range(0, 5, 1, 1)
            .selectExpr(
                "id as A",
                "id * 2 as b",
                "id * 3 as B",
                struct + " as s",
                "array(" + struct + ") as l",
                "map(id, " + struct + ") as m",
                "named_struct('s', " + struct + ") as d"),
        "doubled",
        Map.of());
    if (isCaseSensitive.equals("true")) {
      view("doubled");
      check("select *, s.DUP, l.DUP, m[1].DUP, d.s.DUP from doubled", Map.of());
      check("select B, s.dup from doubled where s.DUP > 1 or d.s.dup = 0", Map.of());
    }
    session.conf().unset("spark.sql.caseSensitive");
    String members = "struct<dup: bigint, other: bigint>";
    view(
        "doubled",
        "a bigint, b bigint, s %1$s, l array<%1$s>, m map<bigint, %1$s>, d struct<s: %1$s>"
            .formatted(members));
    Map<String, String> settings = Map.of("spark.sql.caseSensitive", isCaseSensitive);
    for (String sound : List.of("a", "s.other", "l.other", "m[1].other", "d.s.other")) {
      check("select " + sound + " from doubled", settings);
    }
    check("select a from doubled where s.other > 2", settings);
    for (String doubled : List.of("b", "s.dup", "l.dup", "m", "d.s", "*")) {
      checkDoubled("select " + doubled + " from doubled", settings);
    }
    checkDoubled("select a from doubled where d.s.dup is null", settings);
  }

  /** Ambiguous only where case does not count, and then passed over if asked. */
  private void checkDoubled(String sql, Map<String, String> settings) {
    if (settings.containsValue("true")) {
      check(sql, settings);
    } else {
      checkFails(sql, settings);
      check(sql, IGNORING);
    }
  }

  /** Spark finds other groups when it opens a file, and does not pass over all of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "i struct<x: bigint>",
        "i map<string, struct<x: bigint>>",
        "s int",
        "s array<struct<x: bigint>>",
        "l bigint",
        "l array<struct<x: bigint>>",
        "m map<bigint, array<int>>"
      })
  void otherGroups(String wanted) {
    for (int rows : List.of(3, 0)) {
      write(
          session
              .range(0, rows, 1, 1)
              .selectExpr(
                  "cast(id as int) as i",
                  "named_struct('x', id) as s",
                  "array(id) as l",
                  "map(id, 'v') as m"),
          "shapes",
          Map.of());
      view("shapes", wanted);
      String query = "select * from shapes";
      check(query, IGNORING);
      if (rows > 0) {
        checkFails(query, PLAIN);
      } else {
        check(query);
      }
    }
  }

  /** Types are looked at when the first rows are read: statistics may leave none. */
  @Test
  void otherTypesWhereStatisticsLeaveNoRows() {
    write(session.range(0, 99, 1, 1).selectExpr("id", "'x' as s"), "typed", Map.of());
    view("typed", "id bigint, s int");
    check("select s from typed where id > 1000000");
    check("select s, id from typed where id > 1000000 and s = 3");
    checkFails("select s from typed where id > 10", PLAIN);
    checkFails("select s from typed where s > 10", PLAIN);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 11, 100})
  void truncatedFileMatchesSpark(int left) throws IOException {
    Path file = files.get(1);
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), left));
    view("damaged", "id bigint, s string");
    checkFails(QUERY, PLAIN, file);
    check(QUERY, IGNORING);
  }

  @Test
  void fileWithoutItsMagicNumberMatchesSpark() throws IOException {
    Path file = files.get(0);
    Files.writeString(file, "these are words and no columns at all");
    view("damaged", "id bigint, s string");
    checkFails(QUERY, PLAIN, file);
    check(QUERY, IGNORING);
  }

  @Test
  void damagedPageMatchesSpark() throws IOException {
    Path file = files.get(2);
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 4, 24, (byte) 0xff);
    Files.write(file, bytes);
    view("damaged", "id bigint, s string");
    checkFails(QUERY, PLAIN, file);
    check(QUERY, IGNORING);
  }

  @Test
  void fileThatVanishedMatchesSpark() throws IOException {
    Path file = files.get(1);
    Files.delete(file);
    checkFails(QUERY, PLAIN, file);
    checkFails(QUERY, IGNORING, file);
    check(QUERY, IGNORING_MISSING);
  }

  @Test
  void fileOfOtherColumnsMatchesSpark() throws IOException {
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
  void fileOfNoBytesMatchesSpark() throws IOException {
    Files.write(files.get(1), new byte[0]);
    view("damaged", "id bigint, s string");
    check(QUERY);
  }

  private void checkFails(String sql, Map<String, String> settings, Path file) {
    checkFails(sql, settings);
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
