package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * TPC-H's queries over its eight tables.
 *
 * @param scale scale factor
 * @param numbers the queries, 1 to 22
 */
record TpchWorkload(double scale, List<Integer> numbers) implements Workload {
  @Override
  public String title() {
    return "TPC-H SF" + scale;
  }

  @Override
  public void generate(CommonOptions options) throws IOException {
    GenerateCommand.generate(options, scale);
  }

  @Override
  public Map<String, Path> tables(CommonOptions options) {
    Map<String, Path> tables = new LinkedHashMap<>();
    for (GeneratedTable table : TpchTables.all()) {
      tables.put(table.name(), options.tpch(scale).resolve(table.name()));
    }
    return tables;
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return numbers.stream()
        .map(number -> new BenchmarkQuery("q" + number, TpchQueries.text(number, scale)))
        .toList();
  }
}
