package io.ariadne.parquet.scan;

import io.ariadne.parquet.page.ReadStatistics;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** The counters of one scan. All its splits add to them. Thread-safe. */
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
   * Looks up the counters.
   *
   * @param counters returns a counter by its name
   */
  ScanStatistics(Function<String, LongAdder> counters) {
    this.bytesRead = counters.apply("bytesRead");
    this.bytesDecompressed = counters.apply("bytesDecompressed");
    this.rowGroupsPruned = counters.apply("rowGroupsPruned");
    this.pagesPruned = counters.apply("pagesPruned");
    this.rowsPruned = counters.apply("rowsPrunedByStatistics");
    this.rowsFiltered = counters.apply("rowsFiltered");
    this.footerNanos = counters.apply("footerNanos");
    this.readNanos = counters.apply("readNanos");
    this.decompressNanos = counters.apply("decompressNanos");
    this.decodeNanos = counters.apply("decodeNanos");
    this.filterNanos = counters.apply("filterNanos");
  }

  /** Adds what a scan worker has counted since the last call, and resets it to zero. */
  void take(ReadStatistics read) {
    bytesRead.add(read.bytesRead);
    bytesDecompressed.add(read.bytesDecompressed);
    readNanos.add(read.readNanos);
    decompressNanos.add(read.decompressNanos);
    pagesPruned.add(read.pagesSkipped);
    read.clear();
  }
}
