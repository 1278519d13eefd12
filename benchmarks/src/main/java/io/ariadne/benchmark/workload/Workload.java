package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.table.TableFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Queries and the tables they read: what a benchmark runs on every engine. */
public interface Workload {
  /** Returns the title for charts. */
  String title();

  /** Writes the tables that are missing. */
  void generate(TableFolders folders) throws IOException;

  /** Returns the folders of Parquet files, by name of table. */
  Map<String, Path> tables(TableFolders folders);

  /** Returns the queries in the order of the report. Names are unique. */
  List<BenchmarkQuery> queries();
}
