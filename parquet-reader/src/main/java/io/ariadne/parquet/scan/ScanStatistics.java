package io.ariadne.parquet.scan;

import io.ariadne.parquet.page.ReadStatistics;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** The counters of one scan, added to by all its splits. Thread-safe. */
final class ScanStatistics {
  final LongAdder rowGroupsPruned;
  final LongAdder rowsPruned;
  final LongAdder rowsFiltered;
  final LongAdder pagesPruned;
  final LongAdder footerNanos;
  final LongAdder decodeNanos;
  final LongAdder filterNanos;
  private final LongAdder bytesRead;
  private final LongAdder bytesDecompressed;
  private final LongAdder readNanos;
  private final LongAdder decompressNanos;

  /**
   * Finds the counters.
   *
   * @param figures gives a counter by its name
   */
  ScanStatistics(Function<String, LongAdder> figures) {
    this.bytesRead = figures.apply("bytesRead");
    this.bytesDecompressed = figures.apply("bytesDecompressed");
    this.rowGroupsPruned = figures.apply("rowGroupsPruned");
    this.pagesPruned = figures.apply("pagesPruned");
    this.rowsPruned = figures.apply("rowsPrunedByStatistics");
    this.rowsFiltered = figures.apply("rowsFiltered");
    this.footerNanos = figures.apply("footerNanos");
    this.readNanos = figures.apply("readNanos");
    this.decompressNanos = figures.apply("decompressNanos");
    this.decodeNanos = figures.apply("decodeNanos");
    this.filterNanos = figures.apply("filterNanos");
  }

  /** Adds what a thread of work has read since the last time, and sets it to zero. */
  void take(ReadStatistics read) {
    bytesRead.add(read.bytesRead);
    bytesDecompressed.add(read.bytesDecompressed);
    readNanos.add(read.readNanos);
    decompressNanos.add(read.decompressNanos);
    pagesPruned.add(read.pagesSkipped);
    read.clear();
  }
}
