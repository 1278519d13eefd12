package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.table.GeneratedTable;
import io.ariadne.benchmark.table.TableFolders;
import io.ariadne.benchmark.table.TpchTables;
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
 * @param columnsOf queries to whose columns the tables are restricted, in a folder of their own,
 *     which saves time and space at large scale factors; empty for whole tables
 */
public record TpchWorkload(double scale, List<Integer> numbers, List<Integer> columnsOf)
    implements Workload {
  /** Creates a workload over whole tables. */
  public TpchWorkload(double scale, List<Integer> numbers) {
    this(scale, numbers, List.of());
  }

  @Override
  public String title() {
    return "TPC-H SF" + scale;
  }

  @Override
  public void generate(TableFolders folders) throws IOException {
    folders.generateTpch(scale, folder(folders), generated());
  }

  @Override
  public Map<String, Path> tables(TableFolders folders) {
    Map<String, Path> tables = new LinkedHashMap<>();
    for (GeneratedTable table : generated()) {
      tables.put(table.name(), folder(folders).resolve(table.name()));
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
  public Path folder(TableFolders folders) {
    Path all = folders.tpch(scale);
    if (columnsOf.isEmpty()) {
      return all;
    }
    String names = columnsOf.stream().map(n -> "-q" + n).collect(Collectors.joining());
    return all.resolveSibling(all.getFileName() + "-columns" + names);
  }
}
