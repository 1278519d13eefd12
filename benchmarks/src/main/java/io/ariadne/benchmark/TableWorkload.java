package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A benchmark of one operation over tables of TPC-H.
 *
 * @param operation what is compared, as a title begins
 * @param scale scale factor
 * @param cases what to run
 */
record TableWorkload(String operation, double scale, List<? extends TableCase> cases)
    implements Workload {
  @Override
  public String title() {
    return operation + ", SF" + scale;
  }

  @Override
  public void generate(CommonOptions options) throws IOException {
    GenerateCommand.generate(options, scale);
  }

  @Override
  public Map<String, Path> tables(CommonOptions options) {
    Map<String, Path> tables = new LinkedHashMap<>();
    cases.forEach(c -> tables.put(c.table(), options.tpch(scale).resolve(c.table())));
    return tables;
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return cases.stream().map(TableCase::query).toList();
  }
}
