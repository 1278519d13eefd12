package io.ariadne.benchmark.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.table.TableFolders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestAggregateWorkload {
  @Test
  void queryGroupsAndReturnsOneRow() {
    assertEquals(
        "select count(*), sum(s), min(s), max(s), max(n) from (select sum(l_quantity) s,"
            + " count(*) n from lineitem group by l_shipmode, l_shipinstruct) g",
        AggregateCase.STRINGS.query().sql());
    assertTrue(AggregateCase.STRINGS.query().comparable("duckdb", "ariadne"));
  }

  @Test
  void tablesAreThoseOfTheCases() {
    TableFolders folders = new TableFolders(Path.of("/data"), 1);
    Workload lineitem =
        new TableWorkload("Grouping", 10, List.of(AggregateCase.ORDERKEY, AggregateCase.STRINGS));
    assertEquals(Map.of("lineitem", Path.of("/data/tpch-sf10/lineitem")), lineitem.tables(folders));
    Workload all = new TableWorkload("Grouping", 1, List.of(AggregateCase.values()));
    assertEquals(2, all.tables(folders).size());
    assertEquals(AggregateCase.values().length, all.queries().size());
  }

  @Test
  void unknownCaseNamesTheValidOnes() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> AggregateCase.parse("keys"));
    assertTrue(e.getMessage().contains("orderkey, strings"), e.getMessage());
  }
}
