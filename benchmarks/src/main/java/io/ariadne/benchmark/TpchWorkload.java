package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * TPC-H's queries over its eight tables.
 *
 * @param scale scale factor
 * @param numbers the queries, 1 to 22
 * @param columnsOf the queries whose columns the tables have, in a folder of their own, which saves
 *     time and space at large scale factors; empty for whole tables
 */
record TpchWorkload(double scale, List<Integer> numbers, List<Integer> columnsOf)
    implements Workload {
  /** Queries over whole tables. */
  TpchWorkload(double scale, List<Integer> numbers) {
    this(scale, numbers, List.of());
  }

  @Override
  public String title() {
    return "TPC-H SF" + scale;
  }

  @Override
  public void generate(CommonOptions options) throws IOException {
    GenerateCommand.generateTpch(options, scale, folder(options), generated());
  }

  @Override
  public Map<String, Path> tables(CommonOptions options) {
    Map<String, Path> tables = new LinkedHashMap<>();
    for (GeneratedTable table : generated()) {
      tables.put(table.name(), folder(options).resolve(table.name()));
    }
    return tables;
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return numbers.stream()
        .map(number -> new BenchmarkQuery("q" + number, TpchQueries.text(number, scale)))
        .toList();
  }

  private List<GeneratedTable> generated() {
    return columnsOf.isEmpty()
        ? TpchTables.all()
        : TpchTables.readBy(columnsOf.stream().map(n -> TpchQueries.text(n, scale)).toList());
  }

  /** Returns the folder of the tables. */
  Path folder(CommonOptions options) {
    Path all = options.tpch(scale);
    if (columnsOf.isEmpty()) {
      return all;
    }
    String names = columnsOf.stream().map(n -> "-q" + n).collect(Collectors.joining());
    return all.resolveSibling(all.getFileName() + "-columns" + names);
  }
}
