package io.ariadne.benchmark.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.engine.QueryEngine;
import io.ariadne.benchmark.table.TableFolders;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestExchangeWorkload {
  @Test
  void hasAQueryPerNumberOfPartitions() {
    Workload exchange = new ExchangeWorkload(8, 3, List.of(64, 128), false);
    assertTrue(exchange.tables(new TableFolders(Path.of("/data"), 1)).isEmpty());
    List<BenchmarkQuery> queries = exchange.queries();
    assertEquals(List.of("p64", "p128"), queries.stream().map(BenchmarkQuery::name).toList());
    String sql = queries.get(1).sql();
    assertTrue(sql.contains("repartition(128, c0)"), sql);
    assertTrue(sql.endsWith(" c9 from range(0, 100000, 1, 3)))"), sql);
    assertTrue(sql.startsWith("select count(*), sum(c0 % 1000 + c1 % 1000"), sql);
  }

  @Test
  void runsEachQueryWithAndWithoutALoss() {
    List<BenchmarkQuery> queries = new ExchangeWorkload(8, 3, List.of(64, 128), true).queries();
    List<String> names = queries.stream().map(BenchmarkQuery::name).toList();
    assertEquals(List.of("p64", "p64-loss", "p128", "p128-loss"), names);
    assertEquals(QueryEngine.LOSE + queries.get(2).sql(), queries.get(3).sql());
  }
}
