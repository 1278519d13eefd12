package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Queries and the tables they read: what a benchmark runs on every engine. */
interface Workload {
  /** Returns what it is, for the title of a chart. */
  String title();

  /** Makes the tables that are missing. */
  void generate(CommonOptions options) throws IOException;

  /** Returns the tables, name to folder of Parquet files. */
  Map<String, Path> tables(CommonOptions options);

  /** Returns the queries in the order of the report; names are unique. */
  List<BenchmarkQuery> queries();
}
