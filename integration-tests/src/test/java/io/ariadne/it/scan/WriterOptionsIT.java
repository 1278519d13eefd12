package io.ariadne.it.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every flat type, in files of every codec, page version, dictionary and page size, read whole and
 * with filters. {@code -Dariadne.test.scan.combinations=N} sets how many combinations of writer
 * options are drawn beyond one per value; the default keeps the build short.
 */
class WriterOptionsIT extends AbstractScanIT {
  private static final int ROWS = 2500;
  private static final List<String> CODECS =
      List.of("uncompressed", "snappy", "zstd", "gzip", "lz4", "lz4_raw");
  private static final List<String> FILTERS =
      List.of(
          "id >= 1000 and id < 1010",
          "int > 0",
          "int = -1 or big is null",
          "tiny in (0, 1, 127)",
          "double > 1 and not isnan(double)",
          "double = 0.0",
          "float < 0 or float is null",
          "isnan(float)",
          "dec9 between -5 and 50000",
          "dec38 > 0",
          "date < date'1600-01-01'",
          "ts >= timestamp'1970-01-01 00:00:00'",
          "ntz = timestamp_ntz'1582-10-15 00:00:00'",
          "words = 'ä'",
          "str like 'prefix%'",
          "str is null and bin is not null",
          "bool",
          "not bool and required = 3",
          "never is null and required in (1, 2)",
          "never is not null",
          "length(words) > 5 and int is not null",
          "required + 1 > 9");

  static IntStream combinations() {
    return IntStream.range(
        0, CODECS.size() + Integer.getInteger("ariadne.test.scan.combinations", 3));
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void everyTypeInEveryFileMatchesSpark(int number) {
    Map<String, String> options = new TreeMap<>();
    options.put(
        "compression",
        number < CODECS.size() ? CODECS.get(number) : CODECS.get(random.nextInt(CODECS.size())));
    options.put("parquet.writer.version", number % 2 == 0 ? "v1" : "v2");
    options.put("parquet.enable.dictionary", String.valueOf(random.nextInt(3) != 0));
    options.put("parquet.page.size", pick("300", "4096", "1048576"));
    options.put("parquet.block.size", pick("40000", "134217728"));
    options.put("parquet.page.row.count.limit", pick("70", "20000"));
    options.put("parquet.bloom.filter.enabled", pick("true", "false"));
    // A dictionary that is full: the rest of its chunk is stored otherwise.
    options.put("parquet.dictionary.page.size", pick("600", "1048576"));
    options.put("parquet.columnindex.truncate.length", pick("3", "64"));
    options.put("parquet.statistics.truncate.length", pick("5", "2147483647"));
    options.put("parquet.page.write-checksum.enabled", pick("true", "false"));
    System.out.println("combination " + number + ": " + options);
    write(table(random.nextInt(3), ROWS), "options", options);
    view("options", Map.of("parquet.page.verify-checksum.enabled", pick("true", "false")));
    checkAgainstRowReader("select * from options");
    for (int i = 0; i < 4; i++) {
      checkAgainstRowReader(
          "select * from options where " + FILTERS.get(random.nextInt(FILTERS.size())));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void everyFilterPushedAndNotMatchSpark(String version) {
    write(
        table(1, ROWS),
        "filtered",
        Map.of(
            "parquet.writer.version", version,
            "parquet.page.row.count.limit", "200",
            "parquet.block.size", "60000"));
    view("filtered");
    for (String filter : FILTERS) {
      String sql = "select id, str, dec20, ts from filtered where " + filter;
      check(sql);
      check(sql, Map.of("spark.sql.parquet.filterPushdown", "false"));
    }
    for (String filter : FILTERS) {
      check("select count(*), sum(id), max(dec20) from filtered where " + filter);
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "63", "64", "65", "2049"})
  void rowCountsAroundTheEdges(int rows) {
    write(table(1, rows), "few", Map.of());
    view("few", TypeTable.SCHEMA);
    check("select * from few");
    check("select count(*), min(str), sum(int) from few where required > 3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS"})
  void timestampsAsStoredMatchSpark(String stored) {
    session.conf().set("spark.sql.parquet.outputTimestampType", stored);
    write(table(1, 500), "stamps", Map.of());
    session.conf().unset("spark.sql.parquet.outputTimestampType");
    view("stamps");
    for (String zone : List.of("UTC", "America/Los_Angeles")) {
      Map<String, String> settings = Map.of("spark.sql.session.timeZone", zone);
      check("select id, ts, ntz, date from stamps", settings);
      check("select id, ts from stamps where ts > timestamp'1970-01-01 00:00:00'", settings);
      check("select id, ts from stamps where ts = timestamp'1582-10-15 00:00:00Z'", settings);
    }
  }

  @Test
  void legacyFormOfDecimalsMatchesSpark() {
    session.conf().set("spark.sql.parquet.writeLegacyFormat", "true");
    write(table(1, 500), "legacy", Map.of());
    write(table(1, 500), "legacy-plain", Map.of("parquet.enable.dictionary", "false"));
    session.conf().unset("spark.sql.parquet.writeLegacyFormat");
    for (String name : List.of("legacy", "legacy-plain")) {
      session.read().parquet(address(name)).createOrReplaceTempView("legacy");
      check("select id, dec5, dec9, dec18, dec20, dec38 from legacy");
      check("select id, dec5 from legacy where dec5 > 0 and dec38 < 0");
    }
  }

  @Test
  void columnsInAnyOrderAndNoneMatchSpark() {
    write(table(1, 700), "order", Map.of());
    view("order");
    check("select str, id, bool from order");
    check("select count(*) from order");
    check("select 1 from order where required = 1");
    check("select str, str as again, int + 1 from order where int < 100");
  }

  private void view(String name, Map<String, String> options) {
    session.read().options(options).parquet(address(name)).createOrReplaceTempView(name);
  }

  private Dataset<Row> table(int nulls, int rows) {
    return session.createDataFrame(
        new ArrayList<>(new TypeTable(random, nulls).rows(rows)), TypeTable.SCHEMA);
  }

  private String pick(String... values) {
    return values[random.nextInt(values.length)];
  }
}
