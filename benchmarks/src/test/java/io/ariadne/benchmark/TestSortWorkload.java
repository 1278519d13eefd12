package io.ariadne.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestSortWorkload {
  @Test
  void testRowsAreDrainedUnlessTheyAreFew() {
    assertEquals(
        QueryEngine.DRAIN
            + "select l_extendedprice, l_orderkey from lineitem order by l_extendedprice",
        SortCase.NARROW.query().sql());
    assertTrue(SortCase.TOP.query().sql().endsWith(" limit 100"));
  }

  @Test
  void testTablesAreThoseOfTheCases() {
    Workload all = new TableWorkload("Sorting", 1, List.of(SortCase.values()));
    CommonOptions options = new CommonOptions();
    options.dataRoot = Path.of("/data");
    assertEquals(2, all.tables(options).size());
    assertEquals(SortCase.values().length, all.queries().size());
  }

  @Test
  void testUnknownCaseNamesTheValidOnes() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> SortCase.parse("keys"));
    assertTrue(e.getMessage().contains("dates, written"), e.getMessage());
  }
}
