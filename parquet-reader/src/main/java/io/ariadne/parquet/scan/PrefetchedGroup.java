package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PrefetchedRanges;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.io.ReadStep;
import io.ariadne.io.WantedRange;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The pages of a row group, or of a part of one, that are read before a split needs them: those of
 * the predicate's columns first. The pages of other columns are read ahead too, unless predicates
 * mostly leave no row of a split. Used by one thread at a time.
 */
final class PrefetchedGroup implements AutoCloseable {
  /** Chunks without page locations are read in pieces, so that their first rows come first. */
  private static final long PIECE_BYTES = 256 << 10;

  /**
   * The parts of a row group share its dictionaries: the part that needs one first reads it. Small
   * ones are read ahead for each part, since no part should wait for another.
   */
  private static final long SMALL_DICTIONARY_BYTES = 64 << 10;

  /**
   * Without page locations, the pages of a row are assumed at the row's share of the chunk; this
   * part of the rows is the margin.
   */
  private static final int MARGIN_SHARES = 16;

  private final RowGroup group;
  private final Set<Integer> filterLeaves = new HashSet<>();
  private final PrefetchPolicy policy;
  private final boolean isRestCertain;
  private PrefetchedRanges filter;
  private PrefetchedRanges rest;
  private boolean hasNeededRest;

  /** The order until which pages have been needed. */
  private long neededOrder;

  private PrefetchedGroup(RowGroup group, PrefetchPolicy policy) {
    this.group = group;
    this.policy = policy;
    this.isRestCertain = policy.isRestCertain();
  }

  /**
   * Queues the pages of a piece.
   *
   * @param file the scan in the file
   * @param piece the rows
   * @param indexes the page indexes of the row group
   * @param handle the file; references are taken for the reads
   * @param ahead reads them
   * @param policy decides about the columns outside the predicate
   * @return the pages, to be closed by the caller
   */
  static PrefetchedGroup start(
      FileScan file,
      GroupPiece piece,
      RowGroupIndexes indexes,
      ScanFile handle,
      ReadAheadScan ahead,
      PrefetchPolicy policy)
      throws IOException {
    PrefetchedGroup made = new PrefetchedGroup(piece.group(), policy);
    boolean filters = piece.filters() && file.predicate() != null;
    made.hasNeededRest = !filters;
    if (filters) {
      file.columns()
          .leavesOf(file.predicate().columns())
          .forEach(leaf -> made.filterLeaves.add(leaf.leafIndex()));
    }
    List<WantedRange> ofFilter = new ArrayList<>();
    List<WantedRange> ofRest = new ArrayList<>();
    ByteRangeReader reader = handle.reader();
    for (SchemaNode leaf : new HashSet<>(file.columns().leaves())) {
      boolean isOfFilter = made.filterLeaves.contains(leaf.leafIndex());
      List<WantedRange> target = isOfFilter || made.isRestCertain ? ofFilter : ofRest;
      List<WantedRange> ofLeaf = new ArrayList<>();
      made.addRanges(leaf, piece, indexes, reader.lengthInBytes(), ofLeaf);
      int group = ReadStep.COALESCING.isOn() ? 0 : leaf.leafIndex();
      ofLeaf.forEach(range -> target.add(range.inGroup(group)));
    }
    try {
      made.filter = ahead.read(reader, ofFilter, file.number(), true, handle.retain()::release);
      if (!ofRest.isEmpty()) {
        made.rest = ahead.read(reader, ofRest, file.number(), false, handle.retain()::release);
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(made);
      closer.suppressIn(e);
      throw e;
    }
    return made;
  }

  /** Adds the ranges of a leaf, except those of a damaged footer that lie outside the file. */
  private void addRanges(
      SchemaNode leaf,
      GroupPiece piece,
      RowGroupIndexes indexes,
      long fileLength,
      List<WantedRange> ranges) {
    ColumnChunk chunk = group.chunk(leaf.leafIndex());
    long start = chunk.startOffset();
    long length = chunk.compressedBytes();
    if (start < 0 || length <= 0 || length > fileLength - start) {
      return;
    }
    boolean isPart = piece.part() != null;
    RowWindows windows = isPart ? piece.part().windows() : RowWindows.all(group.rowCount());
    OffsetIndex index = windows.rowCount() < group.rowCount() ? indexes.offsets(chunk) : null;
    if (index == null) {
      addPieces(start, length, ranges);
      return;
    }
    long dictionaryBytes = index.offset(0) - start;
    boolean isShared = isPart && !piece.part().isFirst();
    if (dictionaryBytes > 0 && (!isShared || dictionaryBytes <= SMALL_DICTIONARY_BYTES)) {
      ranges.add(new WantedRange(start, dictionaryBytes, windows.firstFrom(0)));
    }
    addPages(index, windows, ranges);
  }

  private void addPieces(long start, long length, List<WantedRange> ranges) {
    for (long done = 0; done < length; done += PIECE_BYTES) {
      long row = (long) (group.rowCount() * (done / (double) length));
      long piece = Math.min(PIECE_BYTES, length - done);
      ranges.add(new WantedRange(start + done, piece, row));
    }
  }

  private static void addPages(OffsetIndex index, RowWindows windows, List<WantedRange> ranges) {
    BitSet wanted = windows.pages(index);
    for (int page = wanted.nextSetBit(0); page >= 0; page = wanted.nextSetBit(page + 1)) {
      long row = index.firstRow(page);
      ranges.add(new WantedRange(index.offset(page), index.lengthInBytes(page), row));
    }
  }

  /**
   * Notes that rows are needed; returns a future that completes when their pages are there, without
   * those that are read only when rows have passed the predicate.
   *
   * @param untilRow exclusive end of the rows
   */
  CompletableFuture<Void> arrived(long untilRow) {
    long order = untilRow + group.rowCount() / MARGIN_SHARES + 1;
    neededOrder = order;
    CompletableFuture<Void> ofFilter = filter.arrived(order);
    return rest == null || !hasNeededRest
        ? ofFilter
        : CompletableFuture.allOf(ofFilter, rest.arrived(order));
  }

  /** Returns the reader of a column chunk. */
  ByteRangeReader reader(int leafIndex) {
    boolean isOfFilter = rest == null || filterLeaves.contains(leafIndex);
    return isOfFilter ? filter.reader() : rest.reader();
  }

  /** Notes that rows of the window have passed the predicate: the other columns are needed. */
  void needRest() {
    if (!hasNeededRest) {
      hasNeededRest = true;
      if (rest != null) {
        var unused = rest.arrived(neededOrder);
      }
    }
  }

  @Override
  public void close() {
    policy.ended(hasNeededRest);
    Closer closer = new Closer();
    closer.close(filter);
    closer.close(rest);
    closer.rethrow();
  }
}
