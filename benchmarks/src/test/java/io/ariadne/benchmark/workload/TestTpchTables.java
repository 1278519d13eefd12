package io.ariadne.benchmark.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.benchmark.table.GeneratedTable;
import io.ariadne.benchmark.table.TableFolders;
import io.ariadne.benchmark.table.TpchTables;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

class TestTpchTables {
  private static final double SCALE = 0.01;

  @Test
  void onlyTheColumnsThatQueriesReadAreGenerated() {
    assertEquals(
        Map.of(
            "lineitem", List.of("l_quantity", "l_extendedprice", "l_discount", "l_shipdate"),
            "customer", List.of("c_custkey"),
            "orders", List.of("o_orderkey", "o_custkey", "o_comment")),
        columns(List.of(TpchQueries.text(6, SCALE), TpchQueries.text(13, SCALE))));
  }

  @Test
  void aTableThatIsOnlyCountedHasOneColumn() {
    assertEquals(
        Map.of("nation", List.of("n_nationkey")), columns(List.of("select count(*) from nation")));
  }

  @Test
  void valuesAreThoseOfTheWholeTable() {
    GeneratedTable part = TpchTables.readBy(List.of(TpchQueries.text(6, SCALE))).get(0);
    GeneratedTable whole = TpchTables.table("lineitem");
    Iterator<Row> rows = whole.rows(SCALE, 1, 1);
    Iterator<Row> parts = part.rows(SCALE, 1, 1);
    for (int i = 0; i < 100; i++) {
      Row row = rows.next();
      Row read = parts.next();
      for (String name : part.schema().fieldNames()) {
        int column = whole.schema().fieldIndex(name);
        assertEquals(row.get(column), read.get(part.schema().fieldIndex(name)), name);
      }
    }
  }

  @Test
  void partsOfTablesLieApartFromWholeOnes() {
    TableFolders folders = new TableFolders(Path.of("/data"), 1);
    assertEquals(
        Map.of("lineitem", Path.of("/data/tpch-sf100-columns-q1-q6/lineitem")),
        new TpchWorkload(100, List.of(6), List.of(1, 6)).tables(folders));
    assertEquals(
        Path.of("/data/tpch-sf100/lineitem"),
        new TpchWorkload(100, List.of(1, 6)).tables(folders).get("lineitem"));
  }

  private static Map<String, List<String>> columns(List<String> queries) {
    return TpchTables.readBy(queries).stream()
        .collect(
            Collectors.toMap(
                GeneratedTable::name, table -> Arrays.asList(table.schema().fieldNames())));
  }
}
