package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.prune.FilterLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Divides a large row group among several splits, so that a file of one row group is read by
 * several threads: at rows where pages begin, if the file says where they do.
 *
 * <p>Columns' pages need not begin at the same rows. A boundary is put where few bytes lie in pages
 * that it cuts, as those are read by both sides, and left out where they are too many.
 */
final class GroupDivision {
  /** A part may share so many of its bytes with the next one. */
  private static final int MOST_SHARED = 16;

  /** Boundaries are looked for up to this part of a part away from where they would be best. */
  private static final int SEARCH = 4;

  private static final int MAX_CANDIDATES = 64;

  private final FileScan file;
  private final ByteRangeReader reader;
  private final BufferAllocator allocator;
  private final ScanStatistics figures;

  /**
   * Prepares to divide row groups of a file.
   *
   * @param file the scan in the file
   * @param reader the file, stays the caller's
   * @param allocator memory for what is read of it meanwhile
   * @param figures where counts go
   */
  GroupDivision(
      FileScan file, ByteRangeReader reader, BufferAllocator allocator, ScanStatistics figures) {
    this.file = file;
    this.reader = reader;
    this.allocator = allocator;
    this.figures = figures;
  }

  /**
   * Divides a row group.
   *
   * @param whole the row group
   * @param maxParts most parts that are of use
   * @return its parts in order; it alone when it is too small or cannot be divided; none when no
   *     row may match
   */
  List<GroupPiece> divide(GroupPiece whole, int maxParts) {
    if (!file.spec().options().pushdown().uses(FilterLevel.COLUMN_INDEX)) {
      return List.of(whole);
    }
    RowGroup group = whole.group();
    List<SchemaNode> leaves = file.columns().leaves();
    long bytes = 0;
    for (SchemaNode leaf : leaves) {
      ColumnChunk chunk = group.chunk(leaf.leafIndex());
      if (chunk.offsetIndex() == null) {
        return List.of(whole);
      }
      bytes += chunk.compressedBytes();
    }
    long partBytes = file.spec().options().partBytes();
    if (Math.min(bytes / partBytes, maxParts) < 2) {
      return List.of(whole);
    }
    RowGroupIndexes indexes = new RowGroupIndexes(file.metadata(), group, reader, allocator);
    try {
      List<OffsetIndex> pages =
          leaves.stream().map(leaf -> indexes.offsets(group.chunk(leaf.leafIndex()))).toList();
      if (!reachEnds(group, leaves, pages)) {
        return List.of(whole);
      }
      RowWindows windows =
          file.windows(reader, group, whole.filters(), indexes, allocator, figures);
      if (windows.rowCount() == 0) {
        return List.of();
      }
      double left = bytes * (double) windows.rowCount() / group.rowCount();
      int parts = (int) Math.max(Math.min(left / partBytes, maxParts), 1);
      return parts(whole, windows, indexes, boundaries(windows, pages, parts, left / parts));
    } catch (EngineException e) {
      if (e.code() != ErrorCode.CORRUPT_DATA) {
        throw e;
      }
      return List.of(whole); // as without indexes; whoever needs them says what is wrong
    }
  }

  /** Whether the last pages end where their chunks do: else the index is of other pages. */
  private static boolean reachEnds(
      RowGroup group, List<SchemaNode> leaves, List<OffsetIndex> pages) {
    for (int i = 0; i < leaves.size(); i++) {
      ColumnChunk chunk = group.chunk(leaves.get(i).leafIndex());
      OffsetIndex index = pages.get(i);
      int last = index.pageCount() - 1;
      if (last < 0
          || index.offset(last) + index.lengthInBytes(last)
              != chunk.startOffset() + chunk.compressedBytes()) {
        return false;
      }
    }
    return true;
  }

  private static List<GroupPiece> parts(
      GroupPiece whole, RowWindows windows, RowGroupIndexes indexes, List<Long> boundaries) {
    List<RowWindows> ranges = new ArrayList<>();
    long from = 0;
    for (long end : boundaries) {
      ranges.add(windows.between(from, end));
      from = end;
    }
    ranges.add(windows.between(from, whole.group().rowCount()));
    ranges.removeIf(range -> range.rowCount() == 0);
    DividedGroup shared = new DividedGroup(indexes, ranges.size());
    List<GroupPiece> pieces = new ArrayList<>();
    for (RowWindows range : ranges) {
      DividedGroup.Part part = new DividedGroup.Part(shared, range, pieces.isEmpty());
      pieces.add(new GroupPiece(whole.group(), whole.filters(), whole.heldBytes(), part));
    }
    return pieces;
  }

  /** Returns the first rows of the parts but the first, in ascending order. */
  private static List<Long> boundaries(
      RowWindows windows, List<OffsetIndex> pages, int parts, double partBytes) {
    List<Long> boundaries = new ArrayList<>();
    long step = windows.rowCount() / parts;
    long last = 0;
    for (int part = 1; part < parts && step > 0; part++) {
      long best = windows.rowAt(part * step);
      long row = pageStart(pages, best, Math.max(best - step / SEARCH, last + 1), step / SEARCH);
      if (row > last && cutBytes(pages, row) <= partBytes / MOST_SHARED) {
        boundaries.add(row);
        last = row;
      }
    }
    return boundaries;
  }

  /**
   * Returns the row near another at which the fewest bytes are cut, 0 when no page begins there.
   */
  private static long pageStart(List<OffsetIndex> pages, long near, long from, long reach) {
    TreeSet<Long> candidates = new TreeSet<>();
    for (OffsetIndex index : pages) {
      for (int page = index.pageOf(from); page < index.pageCount(); page++) {
        long row = index.firstRow(page);
        if (row > near + reach || candidates.size() == MAX_CANDIDATES) {
          break;
        }
        if (row >= from) {
          candidates.add(row);
        }
      }
    }
    long best = 0;
    long fewest = Long.MAX_VALUE;
    for (long row : candidates) {
      long cut = cutBytes(pages, row);
      boolean isNearer = cut == fewest && Math.abs(row - near) < Math.abs(best - near);
      if (cut < fewest || isNearer) {
        best = row;
        fewest = cut;
      }
    }
    return best;
  }

  /** Returns the bytes of the pages that have rows on both sides of a boundary. */
  private static long cutBytes(List<OffsetIndex> pages, long row) {
    long bytes = 0;
    for (OffsetIndex index : pages) {
      int page = index.pageOf(row);
      bytes += index.firstRow(page) == row ? 0 : index.lengthInBytes(page);
    }
    return bytes;
  }
}
