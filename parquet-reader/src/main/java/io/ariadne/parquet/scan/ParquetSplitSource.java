package io.ariadne.parquet.scan;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.parquet.metadata.ColumnSelection;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.FooterCache;
import io.ariadne.parquet.metadata.FooterCache.FileKey;
import io.ariadne.parquet.metadata.FooterReader;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.page.RecyclingAllocator;
import io.ariadne.parquet.prune.PruningOutcome;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans slices of Parquet files. Reads one footer after the other and yields a split for each row
 * group that may contain a wanted row, or several splits per row group where there are few row
 * groups ({@link GroupDivision}). When there are many slices, several small ones become one split,
 * which reads their footers when it is driven. A batch's sequence number is the index of its slice.
 *
 * <p>With {@code ignoresCorruptFiles} a slice is one split, so that nothing more of the slice is
 * read after a failure, as in Spark. Freed memory of batches is kept for later batches until the
 * source is closed.
 */
public final class ParquetSplitSource implements SplitSource {
  private static final Logger LOGGER = LoggerFactory.getLogger(ParquetSplitSource.class);
  private static final long MAX_IDLE_BYTES = 16 << 20;
  private static final long MAX_FOOTER_BYTES = 64 << 20;

  /** Number of slices from which on the splits themselves open small slices. */
  private static final int MANY_SLICES = 16;

  /** Splits of small files per compute thread. */
  private static final int SMALL_SPLITS_PER_THREAD = 8;

  /**
   * Splits per compute thread that keep all threads busy until the end, though some splits take
   * longer.
   */
  private static final int SPLITS_PER_THREAD = 2;

  /** The footers of all scans of the process. */
  private static final FooterCache FOOTERS = new FooterCache(MAX_FOOTER_BYTES);

  private final ParquetScanSpec spec;
  private final Schema schema;
  private final FileOpener opener;
  private final ReferenceReader reference;
  private final OperatorContext context;
  private final ScanStatistics statistics;
  private final ColumnSelection selection;
  private final RecyclingAllocator pages;
  private final RecyclingAllocator columns;
  private final Deque<FileSlice> slices;
  private final boolean hasManySlices;
  private final int slicesTogether;
  private final Deque<Split> ready = new ArrayDeque<>();
  private final Deque<ScanWorker> workers = new ArrayDeque<>();
  private long nextNumber;

  private ParquetSplitSource(
      ParquetScanSpec spec,
      List<FileSlice> slices,
      FileOpener opener,
      ReferenceReader reference,
      boolean keepsFilesApart,
      OperatorContext context,
      ScanStatistics statistics) {
    this.spec = spec;
    this.schema = spec.schema();
    this.slices = new ArrayDeque<>(slices);
    this.hasManySlices = slices.size() >= MANY_SLICES;
    int wanted = SMALL_SPLITS_PER_THREAD * context.threadCount();
    int share = Math.max(Math.min(slices.size() / wanted, SmallFilesSplit.MAX_SLICES), 1);
    this.slicesTogether = keepsFilesApart ? 1 : share;
    this.opener = opener;
    this.reference = reference;
    this.context = onHost(context);
    this.statistics = statistics;
    this.selection = selection(spec);
    BufferAllocator host = context.allocator();
    this.pages = new RecyclingAllocator(host, MAX_IDLE_BYTES);
    this.columns =
        this.context.kernelAllocator() == host
            ? pages
            : new RecyclingAllocator(this.context.kernelAllocator(), MAX_IDLE_BYTES);
  }

  /**
   * Returns the context for host memory. Pages are decoded in host memory; an operator that needs
   * columns elsewhere copies them.
   */
  private static OperatorContext onHost(OperatorContext context) {
    Backend host = context.backend().host();
    return host == context.backend()
        ? context
        : new OperatorContext(context.allocator(), host, context.cancelled(), context.errorReplay())
            .withThreadCount(context.threadCount());
  }

  /**
   * Returns the factory of a scan's source. Each batch has rows of one slice.
   *
   * @param spec what to read from every file
   * @param slices what to read, in the order of the output
   * @param opener opens the files
   */
  public static SplitSourceFactory factory(
      ParquetScanSpec spec, List<FileSlice> slices, FileOpener opener) {
    return factory(spec, slices, opener, ReferenceReader.NONE, true);
  }

  /**
   * Returns the factory of a scan's source.
   *
   * @param spec what to read from every file
   * @param slices what to read, in the order of the output
   * @param opener opens the files
   * @param reference consulted about files that cannot be read
   * @param keepsFilesApart whether every batch must have rows of one slice, because the query asks
   *     for the file of a row. Otherwise rows of several small slices may be combined to one batch,
   *     whose sequence number then means nothing.
   */
  public static SplitSourceFactory factory(
      ParquetScanSpec spec,
      List<FileSlice> slices,
      FileOpener opener,
      ReferenceReader reference,
      boolean keepsFilesApart) {
    List<FileSlice> copy = List.copyOf(slices);
    return (context, statistics) ->
        new ParquetSplitSource(
            spec,
            copy,
            opener,
            reference,
            keepsFilesApart,
            context,
            new ScanStatistics(statistics));
  }

  private static ColumnSelection selection(ParquetScanSpec spec) {
    List<String> names = new ArrayList<>();
    List<Integer> ids = new ArrayList<>();
    for (ScanColumn column : spec.columns()) {
      if (column.isStored() && column.ids().hasId()) {
        ids.add(column.ids().id());
      } else if (column.isStored()) {
        names.add(column.field().name());
      }
    }
    return ColumnSelection.of(names, ids);
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public Split next() {
    while (ready.isEmpty() && !slices.isEmpty()) {
      checkCancelled();
      if (hasManySlices && slices.element().lengthInBytes() <= SmallFilesSplit.MAX_BYTES) {
        return smallSlices();
      }
      ready.addAll(open(slices.remove(), nextNumber++));
    }
    return ready.poll();
  }

  /** Returns a split of the next slices, which are small. */
  private Split smallSlices() {
    long first = nextNumber;
    long bytes = 0;
    List<FileSlice> together = new ArrayList<>();
    do {
      bytes += slices.element().lengthInBytes();
      together.add(slices.remove());
      nextNumber++;
    } while (together.size() < slicesTogether
        && !slices.isEmpty()
        && bytes + slices.element().lengthInBytes() <= SmallFilesSplit.MAX_BYTES);
    return new SmallFilesSplit(this, together, first, context, columns);
  }

  /**
   * Opens a slice: reads its footer and decides which row groups may contain a wanted row.
   *
   * @param slice what to read
   * @param number index of the slice
   * @return splits owned by the caller; none when nothing is wanted or the file is skipped
   */
  List<Split> open(FileSlice slice, long number) {
    ScanFile handle = new ScanFile(new ScanSite(slice, reference), opener);
    try {
      return splits(slice, handle, number);
    } catch (RuntimeException e) {
      RuntimeException located = ScanErrors.located(handle.site(), e);
      if (!ScanErrors.isIgnored(located, spec.options())) {
        throw located;
      }
      ignored((ScanException) located);
      return List.of();
    } finally {
      handle.release();
    }
  }

  private List<Split> splits(FileSlice slice, ScanFile handle, long number) {
    long begin = System.nanoTime();
    FileScan file;
    List<GroupPiece> pieces = new ArrayList<>();
    try {
      FileMetadata metadata = footer(slice, handle);
      FileColumns sources = FileColumns.resolve(metadata, spec, slice);
      file = FileScan.of(spec, schema, metadata, sources, number);
      for (RowGroup group : groupsOf(slice, metadata)) {
        addPiece(group, file, pieces);
      }
    } finally {
      statistics.footerNanos.add(System.nanoTime() - begin);
    }
    if (!spec.options().ignoresCorruptFiles()) {
      pieces = divided(pieces, file, handle);
    }
    List<Split> splits = new ArrayList<>();
    if (spec.options().ignoresCorruptFiles()) {
      splits.add(new ParquetSplit(this, file, handle.retain(), pieces));
    } else {
      for (GroupPiece piece : pieces) {
        splits.add(new ParquetSplit(this, file, handle.retain(), List.of(piece)));
      }
    }
    return splits;
  }

  /** Returns the non-empty row groups that belong to a slice. */
  private static List<RowGroup> groupsOf(FileSlice slice, FileMetadata metadata) {
    List<RowGroup> groups = new ArrayList<>();
    for (RowGroup group : metadata.rowGroups()) {
      long middle = group.midpoint();
      boolean isOurs = middle >= slice.start() && middle - slice.start() < slice.lengthInBytes();
      if (isOurs && group.rowCount() > 0) {
        groups.add(group);
      }
    }
    return groups;
  }

  /** Divides row groups when there are fewer than threads that could read them. */
  private List<GroupPiece> divided(List<GroupPiece> groups, FileScan file, ScanFile handle) {
    int wanted = SPLITS_PER_THREAD * context.threadCount();
    int known = groups.size() + slices.size();
    if (known >= wanted) {
      return groups;
    }
    try {
      GroupDivision division = new GroupDivision(file, handle.reader(), pages, statistics);
      List<GroupPiece> parts = new ArrayList<>();
      for (GroupPiece group : groups) {
        parts.addAll(division.divide(group, wanted));
      }
      return parts;
    } catch (IOException e) {
      throw ScanErrors.failed(handle.site(), e);
    }
  }

  private void addPiece(RowGroup group, FileScan file, List<GroupPiece> pieces) {
    PruningOutcome outcome =
        file.pruning() == null ? PruningOutcome.ALL : file.pruning().byStatistics(group);
    if (outcome == PruningOutcome.NONE) {
      statistics.rowGroupsPruned.increment();
      statistics.rowsPruned.add(group.rowCount());
    } else {
      long heldBytes = WindowSize.heldBytes(group, file.columns().leaves());
      pieces.add(new GroupPiece(group, outcome == PruningOutcome.SOME, heldBytes, null));
    }
  }

  /** Reads the footer of the file as it is now, which may differ from the file that was listed. */
  private FileMetadata footer(FileSlice slice, ScanFile handle) {
    try {
      ByteRangeReader reader = handle.reader();
      FileKey key = FileKey.of(slice.path(), reader);
      return key == null
          ? FooterReader.read(reader, slice.path(), selection, pages)
          : FOOTERS.get(
              key, selection, wanted -> FooterReader.read(reader, slice.path(), wanted, pages));
    } catch (IOException e) {
      throw ScanErrors.failed(handle.site(), e);
    }
  }

  ScanStatistics statistics() {
    return statistics;
  }

  /** Counts a file whose rest is skipped. */
  void ignored(ScanException failure) {
    LOGGER.warn("skipping the rest of {}: {}", failure.file(), failure.getMessage());
  }

  void checkCancelled() {
    if (context.cancelled().getAsBoolean()) {
      throw new CancellationException("the scan was cancelled");
    }
  }

  /** Returns a worker for one split, which must give it back. */
  ScanWorker takeWorker() {
    synchronized (workers) {
      if (!workers.isEmpty()) {
        return workers.pop();
      }
    }
    return new ScanWorker(context, columns, pages, spec);
  }

  void giveBack(ScanWorker worker) {
    synchronized (workers) {
      workers.push(worker);
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    ready.forEach(closer::close);
    ready.clear();
    slices.clear();
    synchronized (workers) {
      workers.forEach(closer::close);
      workers.clear();
    }
    closer.close(columns);
    if (pages != columns) {
      closer.close(pages);
    }
    closer.rethrow();
  }
}
