package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.table.GeneratedTable;
import io.ariadne.benchmark.table.TableFolders;
import io.ariadne.benchmark.table.TpcdsTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * TPC-DS's queries over its 24 tables.
 *
 * @param scale scale factor
 * @param names the queries, such as {@code q14a}
 */
public record TpcdsWorkload(double scale, List<String> names) implements Workload {
  @Override
  public String title() {
    return "TPC-DS SF" + scale;
  }

  @Override
  public void generate(TableFolders folders) throws IOException {
    folders.generateTpcds(scale);
  }

  @Override
  public Map<String, Path> tables(TableFolders folders) {
    Map<String, Path> tables = new LinkedHashMap<>();
    for (GeneratedTable table : TpcdsTables.all()) {
      tables.put(table.name(), folders.tpcds(scale).resolve(table.name()));
    }
    return tables;
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return names.stream().map(name -> new BenchmarkQuery(name, TpcdsQueries.text(name))).toList();
  }
}
