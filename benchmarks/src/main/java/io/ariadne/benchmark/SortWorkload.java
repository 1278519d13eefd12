package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sort benchmark over tables of TPC-H.
 *
 * @param scale scale factor
 * @param cases what to run
 */
record SortWorkload(double scale, List<SortCase> cases) implements Workload {
  @Override
  public String title() {
    return "Sorting, SF" + scale;
  }

  @Override
  public void generate(CommonOptions options) throws IOException {
    GenerateCommand.generate(options, scale);
  }

  @Override
  public Map<String, Path> tables(CommonOptions options) {
    Map<String, Path> tables = new LinkedHashMap<>();
    cases.forEach(c -> tables.put(c.table, options.tpch(scale).resolve(c.table)));
    return tables;
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return cases.stream().map(SortCase::query).toList();
  }
}
