package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.Schema;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ReadAhead;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.io.ReadStep;
import io.ariadne.operator.Operator;
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
import java.util.concurrent.CompletableFuture;
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

  /** The context of a device that decodes columns; null without one. */
  private final OperatorContext device;

  private final ScanStatistics statistics;
  private final ColumnSelection selection;
  private final RecyclingAllocator pages;
  private final RecyclingAllocator columns;

  /** Memory for the metadata of files that are opened ahead; null when none are. */
  private final BufferAllocator metadata;

  private final SliceQueue slices;

  /** Reads ahead; null when the scan reads only what it needs now. */
  private final ReadAheadScan ahead;

  /** Whether the files are opened ahead, too. */
  private final boolean isSlow;

  private final PrefetchPolicy policy = new PrefetchPolicy();
  private final boolean hasManySlices;
  private final int slicesTogether;
  private final Deque<Split> ready = new ArrayDeque<>();
  private final Deque<ScanWorker> workers = new ArrayDeque<>();

  private ParquetSplitSource(
      ParquetScanSpec spec,
      List<FileSlice> slices,
      FileOpener opener,
      ReferenceReader reference,
      boolean keepsFilesApart,
      ReadAheadScan ahead,
      OperatorContext context,
      ScanStatistics statistics) {
    this.spec = spec;
    this.schema = spec.schema();
    this.ahead = ahead;
    this.isSlow = ahead != null && !slices.isEmpty() && opener.isSlow(slices.get(0));
    this.slices = new SliceQueue(slices, new SliceOpener(), isSlow ? ahead : null);
    this.hasManySlices = slices.size() >= MANY_SLICES;
    int wanted = SMALL_SPLITS_PER_THREAD * context.threadCount();
    int share = Math.max(Math.min(slices.size() / wanted, SmallFilesSplit.MAX_SLICES), 1);
    this.slicesTogether = keepsFilesApart ? 1 : share;
    this.opener = opener;
    this.reference = reference;
    this.context = context.onHost();
    this.device = context.backend().tier() == MemoryTier.HOST ? null : context;
    this.statistics = statistics;
    this.selection = selection(spec);
    BufferAllocator host = context.allocator();
    this.pages = new RecyclingAllocator(host, MAX_IDLE_BYTES);
    this.metadata = isSlow ? ahead.memoryOfSteps(pages) : null;
    this.columns =
        this.context.kernelAllocator() == host
            ? pages
            : new RecyclingAllocator(this.context.kernelAllocator(), MAX_IDLE_BYTES);
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
    return factory(spec, slices, opener, ReferenceReader.NONE, true, null);
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
   * @param readAhead reads what the storage does not have in memory before it is needed; null to
   *     read only what is needed
   */
  public static SplitSourceFactory factory(
      ParquetScanSpec spec,
      List<FileSlice> slices,
      FileOpener opener,
      ReferenceReader reference,
      boolean keepsFilesApart,
      ReadAhead readAhead) {
    List<FileSlice> copy = List.copyOf(slices);
    return (context, counters) -> {
      ReadAheadScan ahead =
          readAhead == null ? null : readAhead.open("scan of " + copy.size() + " slices", counters);
      try {
        return new ParquetSplitSource(
            spec,
            copy,
            opener,
            reference,
            keepsFilesApart,
            ahead,
            context,
            new ScanStatistics(counters));
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        closer.close(ahead);
        closer.suppressIn(e);
        throw e;
      }
    };
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
  public CompletableFuture<Void> isBlocked() {
    while (ready.isEmpty() && !slices.isEmpty() && !isSmall(slices.peek())) {
      CompletableFuture<Void> blocked = slices.peek().isBlocked();
      if (!isSlow || !blocked.isDone() || slices.peek().isFailed()) {
        return blocked;
      }
      ready.addAll(slices.poll().take());
    }
    return Operator.NOT_BLOCKED;
  }

  private boolean isSmall(SliceOpening next) {
    return hasManySlices && next.slice().lengthInBytes() <= SmallFilesSplit.MAX_BYTES;
  }

  @Override
  public Split next() {
    while (ready.isEmpty() && !slices.isEmpty()) {
      checkCancelled();
      if (isSmall(slices.peek())) {
        return smallSlices();
      }
      ready.addAll(slices.poll().take());
    }
    return ready.poll();
  }

  /** Returns a split of the next slices, which are small. */
  private Split smallSlices() {
    long bytes = 0;
    List<SliceOpening> together = new ArrayList<>();
    do {
      bytes += slices.peek().slice().lengthInBytes();
      together.add(slices.poll());
    } while (together.size() < slicesTogether
        && !slices.isEmpty()
        && bytes + slices.peek().slice().lengthInBytes() <= SmallFilesSplit.MAX_BYTES);
    OperatorContext reading = device == null ? context : device;
    return new SmallFilesSplit(this, together, reading, columns);
  }

  /** Opens the slices of this scan. */
  private final class SliceOpener implements SliceQueue.Opener {
    @Override
    public List<Split> open(FileSlice slice, long number, int slicesAfter) {
      return ParquetSplitSource.this.open(slice, number, slicesAfter);
    }

    /** Takes the end of the slice as the end of the file, whose length is not known yet. */
    @Override
    public long bytesToOpen(FileSlice slice) {
      long end = slice.start() + slice.lengthInBytes();
      return MetadataReader.firstBytes(end, opener.tailBytes(slice));
    }
  }

  /**
   * Opens a slice: reads its footer and decides which row groups may contain a wanted row.
   *
   * @param slice what to read
   * @param number index of the slice
   * @param slicesAfter how many slices follow
   * @return splits owned by the caller; none when nothing is wanted or the file is skipped
   */
  private List<Split> open(FileSlice slice, long number, int slicesAfter) {
    ScanFile handle = new ScanFile(new ScanSite(slice, reference), opener, metadata);
    try {
      return splits(slice, handle, number, slicesAfter);
    } catch (RuntimeException e) {
      forgetFooter(handle);
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

  private List<Split> splits(FileSlice slice, ScanFile handle, long number, int slicesAfter) {
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
    if (spec.options().ignoresCorruptFiles()) {
      return List.of(new ParquetSplit(this, file, handle.retain(), pieces));
    }
    // A device is as fast with one large batch as with many small ones on several threads.
    boolean isDivided = !pieces.stream().allMatch(piece -> isForDevice(file, piece.group()));
    int wanted = isDivided ? SPLITS_PER_THREAD * context.threadCount() - slicesAfter : 1;
    try {
      SlicePieces planned = new SlicePieces(file, handle, pages, statistics);
      List<GroupPiece> plan = planned.plan(pieces, wanted, ahead, policy);
      recountFooter(handle, file.metadata());
      return splits(file, handle, plan);
    } catch (IOException e) {
      throw ScanErrors.failed(handle.site(), e);
    }
  }

  private List<Split> splits(FileScan file, ScanFile handle, List<GroupPiece> pieces) {
    List<Split> splits = new ArrayList<>();
    for (GroupPiece piece : pieces) {
      splits.add(new ParquetSplit(this, file, handle.retain(), List.of(piece)));
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

  /** Returns how much of a row group is decoded at once. */
  WindowLimits limits(FileScan file, RowGroup group) {
    return isForDevice(file, group)
        ? DeviceScan.limits(device)
        : WindowLimits.ofHost(spec.options().batchRows());
  }

  private boolean isForDevice(FileScan file, RowGroup group) {
    return device != null && !isSlow && DeviceScan.suits(group, file.columns().leaves());
  }

  private void addPiece(RowGroup group, FileScan file, List<GroupPiece> pieces) {
    PruningOutcome outcome =
        file.pruning() == null ? PruningOutcome.ALL : file.pruning().byStatistics(group);
    if (outcome == PruningOutcome.NONE) {
      statistics.rowGroupsPruned.increment();
      statistics.rowsPruned.add(group.rowCount());
    } else {
      long heldBytes =
          WindowSize.heldBytes(group, file.columns().leaves(), limits(file, group).bytes());
      pieces.add(new GroupPiece(group, outcome == PruningOutcome.SOME, heldBytes, null, null));
    }
  }

  /** Reads the footer of the file as it is now, which may differ from the file that was listed. */
  private FileMetadata footer(FileSlice slice, ScanFile handle) {
    try {
      ByteRangeReader reader = handle.reader();
      FileKey key = ReadStep.FOOTER_CACHE.isOn() ? FileKey.of(slice.path(), reader) : null;
      if (key == null) {
        return FooterReader.read(reader, slice.path(), selection, pages);
      }
      handle.setFooterKey(key);
      FileMetadata footer =
          FOOTERS.get(
              key, selection, wanted -> FooterReader.read(reader, slice.path(), wanted, pages));
      if (!footer.version().isEmpty()) {
        reader.expectVersion(footer.version());
      }
      return footer;
    } catch (IOException e) {
      throw ScanErrors.failed(handle.site(), e);
    }
  }

  /** Counts the page indexes that have been read of a file. */
  static void recountFooter(ScanFile handle, FileMetadata footer) {
    if (handle.footerKey() != null) {
      FOOTERS.recount(handle.footerKey(), footer);
    }
  }

  /** Forgets the footer of a file that cannot be read: it may be another file by now. */
  static void forgetFooter(ScanFile handle) {
    if (handle.footerKey() != null) {
      FOOTERS.forget(handle.footerKey());
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
    return new ScanWorker(context, columns, pages, spec, device);
  }

  void giveBack(ScanWorker worker) {
    synchronized (workers) {
      workers.push(worker);
    }
  }

  /** Returns a batch without rows, which tells that there is no other batch now. */
  RecordBatch emptyBatch() {
    ScanWorker worker = takeWorker();
    try {
      List<ColumnVector> none = new ArrayList<>();
      for (ScanColumn column : spec.columns()) {
        none.add(
            ConstantColumn.of(column.missingValue(), 0, worker.pages(), worker.decode().gather()));
      }
      return new RecordBatch(schema, 0, none, 0);
    } finally {
      giveBack(worker);
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    ready.forEach(closer::close);
    ready.clear();
    closer.close(slices);
    closer.close(ahead);
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
