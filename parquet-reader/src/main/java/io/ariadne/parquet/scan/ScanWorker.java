package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.codec.Decompressors;
import io.ariadne.parquet.column.DecodeContext;
import io.ariadne.parquet.page.PageIo;
import io.ariadne.parquet.page.ReadStatistics;

/**
 * The resources of one split at a time: launches, codec states, compiled predicates. The source
 * owns the workers and passes them from split to split. Used by one thread at a time.
 */
final class ScanWorker implements AutoCloseable {
  private final BufferAllocator pages;
  private final ReadStatistics statistics = new ReadStatistics();
  private final Decompressors decompressors;
  private final DecodeContext decode;
  private final PageIo io;
  private final RecentPredicates predicates;
  private final ConjunctOrder order = new ConjunctOrder();
  private final OperatorContext deviceContext; // null without a device
  private DeviceScan device; // null until it is needed

  /**
   * Creates a worker.
   *
   * @param context of the host
   * @param columns memory that kernels see, for columns
   * @param pages host memory, for pages
   * @param spec what is read
   * @param deviceContext a device that decodes columns; null without one
   */
  ScanWorker(
      OperatorContext context,
      BufferAllocator columns,
      BufferAllocator pages,
      ParquetScanSpec spec,
      OperatorContext deviceContext) {
    this.deviceContext = deviceContext;
    this.predicates = new RecentPredicates(context);
    this.pages = pages;
    this.decompressors = new Decompressors(context.backend(), pages);
    this.decode = new DecodeContext(context.backend(), columns, statistics);
    this.io =
        new PageIo(
            pages,
            decompressors,
            statistics,
            WindowSize.readBytes(leafCount(spec)),
            spec.options().verifiesChecksums());
  }

  private static int leafCount(ParquetScanSpec spec) {
    return spec.columns().stream()
        .filter(ScanColumn::isStored)
        .mapToInt(column -> WindowSize.leafCount(column.field().type()))
        .sum();
  }

  DecodeContext decode() {
    return decode;
  }

  PageIo io() {
    return io;
  }

  ReadStatistics statistics() {
    return statistics;
  }

  BufferAllocator pages() {
    return pages;
  }

  /** Returns the compiled predicates that the host evaluates. */
  RecentPredicates predicates() {
    return predicates;
  }

  /** Returns what the worker uses on a device, which the first call creates; null without one. */
  DeviceScan device() {
    if (device == null && deviceContext != null) {
      device = new DeviceScan(deviceContext);
    }
    return device;
  }

  /** Returns the order in which the conjuncts of predicates are evaluated. */
  ConjunctOrder order() {
    return order;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(device);
    closer.close(predicates);
    closer.close(decode);
    closer.close(decompressors);
    closer.rethrow();
  }
}
