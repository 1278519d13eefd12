package io.ariadne.benchmark.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.engine.QueryEngine;
import io.ariadne.benchmark.table.TableFolders;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestSortWorkload {
  @Test
  void rowsAreDrainedUnlessTheyAreFew() {
    assertEquals(
        QueryEngine.DRAIN
            + "select l_extendedprice, l_orderkey from lineitem order by l_extendedprice",
        SortCase.NARROW.query().sql());
    assertTrue(SortCase.TOP.query().sql().endsWith(" limit 100"));
  }

  @Test
  void tablesAreThoseOfTheCases() {
    Workload all = new TableWorkload("Sorting", 1, List.of(SortCase.values()));
    TableFolders folders = new TableFolders(Path.of("/data"), 1);
    assertEquals(2, all.tables(folders).size());
    assertEquals(SortCase.values().length, all.queries().size());
  }

  @Test
  void unknownCaseNamesTheValidOnes() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> SortCase.parse("keys"));
    assertTrue(e.getMessage().contains("dates, written"), e.getMessage());
  }
}
