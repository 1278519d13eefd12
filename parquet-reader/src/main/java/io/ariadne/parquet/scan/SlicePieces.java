package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.parquet.metadata.ByteSpan;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.prune.FilterLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans how the row groups of a slice are read: divides them when there are fewer than threads that
 * could read them, and queues their pages where the storage is slow. Used by one thread.
 */
final class SlicePieces {
  private final FileScan file;
  private final ScanFile handle;
  private final BufferAllocator pages;
  private final ScanStatistics statistics;

  /**
   * Prepares to plan.
   *
   * @param file the scan in the file
   * @param handle the file; references are taken for reads
   * @param pages memory for page indexes
   * @param statistics counts skipped rows
   */
  SlicePieces(FileScan file, ScanFile handle, BufferAllocator pages, ScanStatistics statistics) {
    this.file = file;
    this.handle = handle;
    this.pages = pages;
    this.statistics = statistics;
  }

  /**
   * Plans the pieces of row groups.
   *
   * @param groups the row groups that statistics have left
   * @param wanted how many pieces the threads can use
   * @param ahead reads pages ahead; null when none are
   * @param policy decides what is read ahead
   * @return the pieces, owned by the caller
   */
  List<GroupPiece> plan(
      List<GroupPiece> groups, int wanted, ReadAheadScan ahead, PrefetchPolicy policy)
      throws IOException {
    boolean isDivided = groups.size() < wanted;
    if (groups.isEmpty() || (!isDivided && ahead == null)) {
      return groups;
    }
    ByteRangeReader reader = handle.reader();
    boolean waits = ahead != null && waits(groups, reader);
    if (reader instanceof MetadataReader metadata && waits) {
      metadata.load(indexSpans(groups, isDivided ? wanted : 1));
    }
    List<GroupPiece> pieces = isDivided ? divided(groups, wanted, reader) : groups;
    if (!waits) {
      return pieces;
    }
    if (file.predicate() != null) {
      pieces = pruned(pieces, reader);
    }
    pieces = prefetched(pieces, reader, ahead, policy);
    if (reader instanceof MetadataReader metadata) {
      metadata.drop();
    }
    return pieces;
  }

  /** Returns whether the first chunk of a row group is not in memory. */
  private boolean waits(List<GroupPiece> groups, ByteRangeReader reader) {
    List<SchemaNode> leaves = file.columns().leaves();
    if (leaves.isEmpty()) {
      return false;
    }
    for (GroupPiece piece : groups) {
      ColumnChunk chunk = piece.group().chunk(leaves.get(0).leafIndex());
      if (reader.waits(chunk.startOffset(), chunk.compressedBytes())) {
        return true;
      }
    }
    return false;
  }

  private List<GroupPiece> divided(List<GroupPiece> groups, int wanted, ByteRangeReader reader) {
    GroupDivision division = new GroupDivision(file, reader, pages, statistics);
    List<GroupPiece> parts = new ArrayList<>();
    for (GroupPiece group : groups) {
      parts.addAll(division.divide(group, wanted));
    }
    return parts;
  }

  /** Lists the page indexes that pruning and the division of row groups need. */
  private List<ByteSpan> indexSpans(List<GroupPiece> groups, int maxParts) {
    List<ByteSpan> spans = new ArrayList<>();
    if (!file.spec().options().pushdown().uses(FilterLevel.COLUMN_INDEX)) {
      return spans;
    }
    List<SchemaNode> filtered =
        file.predicate() == null ? List.of() : file.columns().leavesOf(file.predicate().columns());
    for (GroupPiece piece : groups) {
      boolean filters = file.predicate() != null && piece.filters();
      if (filters) {
        filtered.forEach(leaf -> addStatistics(piece.group(), leaf, spans));
      }
      if (filters || GroupDivision.isDivisible(file, piece.group(), maxParts)) {
        file.columns().leaves().forEach(leaf -> addOffsets(piece.group(), leaf, spans));
      }
    }
    return spans;
  }

  private void addStatistics(RowGroup group, SchemaNode leaf, List<ByteSpan> spans) {
    ColumnChunk chunk = group.chunk(leaf.leafIndex());
    if (chunk.columnIndex() != null && !file.metadata().indexes().hasStatistics(group, chunk)) {
      spans.add(chunk.columnIndex());
    }
  }

  private void addOffsets(RowGroup group, SchemaNode leaf, List<ByteSpan> spans) {
    ColumnChunk chunk = group.chunk(leaf.leafIndex());
    if (chunk.offsetIndex() != null && !file.metadata().indexes().hasOffsets(group, chunk)) {
      spans.add(chunk.offsetIndex());
    }
  }

  /** Prunes the rows of whole row groups, so that pages without wanted rows are not read. */
  private List<GroupPiece> pruned(List<GroupPiece> pieces, ByteRangeReader reader) {
    List<GroupPiece> left = new ArrayList<>();
    for (GroupPiece piece : pieces) {
      if (piece.part() != null || !piece.filters()) {
        left.add(piece);
        continue;
      }
      GroupPiece pruned = pruned(piece, reader);
      if (pruned != null) {
        left.add(pruned);
      }
    }
    return left;
  }

  /**
   * Returns the rows of a row group that may match; null for none. A row group whose metadata
   * cannot be read stays whole: its split reports that, after the rows before it.
   */
  private GroupPiece pruned(GroupPiece piece, ByteRangeReader reader) {
    RowGroupIndexes indexes = new RowGroupIndexes(file.metadata(), piece.group(), reader, pages);
    RowWindows windows;
    try {
      windows = file.windows(reader, piece.group(), true, indexes, pages, statistics);
    } catch (UncheckedIOException e) {
      return piece;
    } catch (EngineException e) {
      if (e.code() != ErrorCode.CORRUPT_DATA) {
        throw e;
      }
      return piece;
    }
    if (windows.rowCount() == 0) {
      return null;
    }
    DividedGroup shared = new DividedGroup(indexes, 1);
    DividedGroup.Part part = new DividedGroup.Part(shared, windows, true);
    return new GroupPiece(piece.group(), true, piece.heldBytes(), part, null);
  }

  private List<GroupPiece> prefetched(
      List<GroupPiece> pieces, ByteRangeReader reader, ReadAheadScan ahead, PrefetchPolicy policy)
      throws IOException {
    List<GroupPiece> made = new ArrayList<>();
    try {
      for (GroupPiece piece : pieces) {
        RowGroupIndexes indexes =
            piece.part() == null
                ? new RowGroupIndexes(file.metadata(), piece.group(), reader, pages)
                : piece.part().group().indexes();
        made.add(piece.with(PrefetchedGroup.start(file, piece, indexes, handle, ahead, policy)));
      }
    } catch (IOException | RuntimeException | Error e) {
      Closer closer = new Closer();
      made.forEach(piece -> closer.close(piece.prefetched()));
      closer.suppressIn(e);
      throw e;
    }
    return made;
  }
}
