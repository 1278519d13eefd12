package io.ariadne.benchmark;

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
record TpcdsWorkload(double scale, List<String> names) implements Workload {
  @Override
  public String title() {
    return "TPC-DS SF" + scale;
  }

  @Override
  public void generate(CommonOptions options) throws IOException {
    GenerateCommand.generateTpcds(options, scale);
  }

  @Override
  public Map<String, Path> tables(CommonOptions options) {
    Map<String, Path> tables = new LinkedHashMap<>();
    for (GeneratedTable table : TpcdsTables.all()) {
      tables.put(table.name(), options.tpcds(scale).resolve(table.name()));
    }
    return tables;
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return names.stream().map(name -> new BenchmarkQuery(name, TpcdsQueries.text(name))).toList();
  }
}
