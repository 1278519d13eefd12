package io.ariadne.benchmark;

/** A benchmark's case that reads one table of TPC-H. */
interface TableCase {
  /** Returns the table it reads. */
  String table();

  /** Returns its query. */
  BenchmarkQuery query();
}
