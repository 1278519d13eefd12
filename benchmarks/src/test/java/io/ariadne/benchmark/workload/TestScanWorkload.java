package io.ariadne.benchmark.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.table.SmallFiles;
import io.ariadne.benchmark.table.TableFolders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TestScanWorkload {
  private static final int COLUMNS = 16;

  @Test
  void projectionHashesEveryColumn() {
    BenchmarkQuery query = only(ScanCase.PROJECTION);
    assertEquals(COLUMNS, query.sql().split("sum\\(hash\\(l_", -1).length - 1);
    assertTrue(query.comparable("ariadne", "spark"));
    assertFalse(query.comparable("duckdb", "spark"));
  }

  @Test
  void filterProjectsTenColumns() {
    BenchmarkQuery query = only(ScanCase.FILTER);
    String projected = query.sql().substring(0, query.sql().indexOf(" from "));
    assertEquals(10, projected.split(",").length);
    assertFalse(projected.contains("l_shipdate"));
    assertTrue(query.comparable("duckdb", "spark"));
  }

  @Test
  void typesHaveAQueryPerColumn() {
    List<BenchmarkQuery> queries = ScanCase.TYPES.queries();
    assertEquals(COLUMNS, queries.size());
    assertEquals("select sum(l_orderkey) from lineitem", byName(queries, "l_orderkey").sql());
    assertEquals(
        "select sum(case when l_shipdate < date '1995-06-17' then 1 else 0 end) from lineitem",
        byName(queries, "l_shipdate").sql());
    assertFalse(byName(queries, "l_comment").comparable("duckdb", "spark"));
    assertTrue(byName(queries, "l_tax").comparable("duckdb", "spark"));
  }

  @Test
  void queriesReadTheTablesOfTheirCase() {
    TableFolders folders = new TableFolders(Path.of("/data"), 1);
    ScanWorkload small = new ScanWorkload(10, List.of(ScanCase.SMALL_FILES), new SmallFiles(2000));
    assertEquals(
        Map.of("lineitem_small_files", Path.of("/data/small-files/lineitem_small_files")),
        small.tables(folders));
    assertTrue(small.queries().get(0).sql().contains("from lineitem_small_files"));
    ScanWorkload all = new ScanWorkload(10, List.of(ScanCase.values()), new SmallFiles(7));
    assertEquals(
        Set.of("lineitem", "lineitem_small_files", "lineitem_one_row_group"),
        all.tables(folders).keySet());
    assertEquals(
        Path.of("/data/small-files-7/lineitem_small_files"),
        all.tables(folders).get("lineitem_small_files"));
    assertEquals(
        Path.of("/data/one-row-group-tpch-sf10/lineitem_one_row_group"),
        all.tables(folders).get("lineitem_one_row_group"));
    assertEquals(Path.of("/data/tpch-sf10/lineitem"), all.tables(folders).get("lineitem"));
    Set<String> names =
        all.queries().stream().map(BenchmarkQuery::name).collect(Collectors.toSet());
    assertEquals(all.queries().size(), names.size());
  }

  @Test
  void unknownCaseIsRefused() {
    assertEquals(ScanCase.SMALL_FILES, ScanCase.parse("small-files"));
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> ScanCase.parse("nothing"));
    assertTrue(
        error
            .getMessage()
            .endsWith(
                "projection, filter, small-files, one-row-group, expressions, strings,"
                    + " casts, types"));
  }

  @Test
  void oneRowGroupIsReadInPartAndWhole() {
    List<BenchmarkQuery> queries = ScanCase.ONE_ROW_GROUP.queries();
    assertEquals(
        List.of("one-row-group", "one-row-group-all"),
        queries.stream().map(BenchmarkQuery::name).toList());
    queries.forEach(q -> assertTrue(q.sql().contains("from lineitem_one_row_group"), q::sql));
  }

  private static BenchmarkQuery only(ScanCase scanCase) {
    assertEquals(1, scanCase.queries().size());
    return scanCase.queries().get(0);
  }

  private static BenchmarkQuery byName(List<BenchmarkQuery> queries, String name) {
    return queries.stream().filter(q -> q.name().equals(name)).findFirst().orElseThrow();
  }
}
