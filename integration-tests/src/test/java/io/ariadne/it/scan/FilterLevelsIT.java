package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.parquet.prune.FilterLevel;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests settings of Parquet's reader that disable pruning. Users need them for files with wrong
 * statistics, which would lose rows.
 */
class FilterLevelsIT extends AbstractScanIT {
  private static final String PRUNED = "rowsPrunedByStatistics";

  @BeforeAll
  void writeTable() {
    Map<String, String> options = new TreeMap<>();
    options.put("parquet.page.row.count.limit", "100");
    options.put("parquet.enable.dictionary#number", "false");
    options.put("parquet.bloom.filter.enabled#number", "true");
    write(
        session
            .range(10_000)
            .selectExpr(
                "id",
                "id * 37 % 50 * 2 AS kind",
                "id * 7919 % 10007 * 2 AS number",
                "date_add(date'2000-01-01', cast(id as int)) AS day",
                "cast(timestamp_seconds(id) AS timestamp_ntz) AS time",
                "cast(id / 100 AS decimal(12, 2)) AS price"),
        "levels",
        options);
    view("levels");
  }

  /**
   * The table is one row group. The statistics of a level show that each of its predicates is
   * false.
   */
  @ParameterizedTest
  @CsvSource({
    "STATISTICS, id > 20000",
    "DICTIONARY, kind = 33",
    "BLOOM_FILTER, number = 10001",
    "COLUMN_INDEX, id = 555"
  })
  void levelIsSwitchedOff(FilterLevel level, String predicate) {
    assertTrue(pruned(predicate, Map.of()) > 0, "by all levels");
    Map<String, String> others = new TreeMap<>();
    for (FilterLevel other : FilterLevel.values()) {
      if (other != level) {
        others.put(other.key(), "false");
      }
    }
    assertTrue(pruned(predicate, others) > 0, "by the level alone");
    others.put(level.key(), "false");
    assertEquals(0, pruned(predicate, others), "by none");
    assertEquals(0, pruned(predicate, Map.of("spark.sql.parquet.filterPushdown", "false")));
    if (level != FilterLevel.STATISTICS) { // what those of a row group tell, those of pages do, too
      assertEquals(0, pruned(predicate, Map.of(level.key(), "false")), "by the others");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "date; day = DATE'2000-05-01'",
        "timestamp; time = TIMESTAMP_NTZ'1970-01-01 00:00:05'",
        "decimal; price = 5.55"
      })
  void typeIsSwitchedOff(String type, String predicate) {
    assertTrue(pruned(predicate, Map.of()) > 0, "by default");
    assertEquals(0, pruned(predicate, Map.of("spark.sql.parquet.filterPushdown." + type, "false")));
  }

  private long pruned(String predicate, Map<String, String> settings) {
    String sql = "SELECT * FROM levels WHERE " + predicate;
    return scanMetrics(checked(sql, settings)).get(PRUNED);
  }
}
