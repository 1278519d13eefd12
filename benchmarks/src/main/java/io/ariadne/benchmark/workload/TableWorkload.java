package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.table.TableFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A benchmark of one operation over tables of TPC-H.
 *
 * @param operation start of the title
 * @param scale scale factor
 * @param cases the cases to run
 */
public record TableWorkload(String operation, double scale, List<? extends TableCase> cases)
    implements Workload {
  @Override
  public String title() {
    return operation + ", SF" + scale;
  }

  @Override
  public void generate(TableFolders folders) throws IOException {
    folders.generateTpch(scale);
  }

  @Override
  public Map<String, Path> tables(TableFolders folders) {
    Map<String, Path> tables = new LinkedHashMap<>();
    cases.forEach(c -> tables.put(c.table(), folders.tpch(scale).resolve(c.table())));
    return tables;
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return cases.stream().map(TableCase::query).toList();
  }
}
