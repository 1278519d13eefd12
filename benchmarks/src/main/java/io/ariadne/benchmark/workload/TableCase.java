package io.ariadne.benchmark.workload;

/** A case of a benchmark that reads one table of TPC-H. */
interface TableCase {
  /** Returns the name of the table. */
  String table();

  /** Returns the query. */
  BenchmarkQuery query();
}
