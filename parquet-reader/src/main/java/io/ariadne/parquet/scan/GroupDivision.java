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
 * Divides a large row group into several splits, so that several threads read a file with one row
 * group. The boundaries are rows where pages begin, so the file must have offset indexes.
 *
 * <p>Pages of different columns need not begin at the same rows. Both sides of a boundary read the
 * pages that it cuts. So a boundary is placed where it cuts few bytes, and dropped where it cuts
 * too many.
 */
final class GroupDivision {
  /** A part shares at most a sixteenth of its bytes with the next part. */
  private static final int MOST_SHARED = 16;

  /** A boundary is at most a quarter of a part away from its ideal row. */
  private static final int SEARCH = 4;

  private static final int MAX_CANDIDATES = 64;

  private final FileScan file;
  private final ByteRangeReader reader;
  private final BufferAllocator allocator;
  private final ScanStatistics statistics;

  /**
   * Prepares to divide row groups of a file.
   *
   * @param file the scan in the file
   * @param reader the file, stays the caller's
   * @param allocator memory for page indexes
   * @param statistics counts skipped rows
   */
  GroupDivision(
      FileScan file, ByteRangeReader reader, BufferAllocator allocator, ScanStatistics statistics) {
    this.file = file;
    this.reader = reader;
    this.allocator = allocator;
    this.statistics = statistics;
  }

  /**
   * Divides a row group.
   *
   * @param whole the row group
   * @param maxParts most parts that are useful
   * @return its parts in order; only the row group itself when it is too small or cannot be
   *     divided; none when no row may match
   */
  List<GroupPiece> divide(GroupPiece whole, int maxParts) {
    if (!isDivisible(file, whole.group(), maxParts)) {
      return List.of(whole);
    }
    RowGroup group = whole.group();
    List<SchemaNode> leaves = file.columns().leaves();
    long bytes = compressedBytes(group, leaves);
    long partBytes = file.spec().options().partBytes();
    RowGroupIndexes indexes = new RowGroupIndexes(file.metadata(), group, reader, allocator);
    try {
      List<OffsetIndex> pages =
          leaves.stream().map(leaf -> indexes.offsets(group.chunk(leaf.leafIndex()))).toList();
      if (!reachEnds(group, leaves, pages)) {
        return List.of(whole);
      }
      RowWindows windows =
          file.windows(reader, group, whole.filters(), indexes, allocator, statistics);
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
      return List.of(whole); // as without an index; code that needs it reports the damage
    }
  }

  /** Returns whether a row group is large enough to be divided, and has offset indexes. */
  static boolean isDivisible(FileScan file, RowGroup group, int maxParts) {
    if (!file.spec().options().pushdown().uses(FilterLevel.COLUMN_INDEX)) {
      return false;
    }
    List<SchemaNode> leaves = file.columns().leaves();
    boolean hasOffsets =
        leaves.stream().allMatch(leaf -> group.chunk(leaf.leafIndex()).offsetIndex() != null);
    long parts = compressedBytes(group, leaves) / file.spec().options().partBytes();
    return hasOffsets && Math.min(parts, maxParts) >= 2;
  }

  private static long compressedBytes(RowGroup group, List<SchemaNode> leaves) {
    return leaves.stream().mapToLong(leaf -> group.chunk(leaf.leafIndex()).compressedBytes()).sum();
  }

  /**
   * Returns whether the last pages end where their chunks do. Otherwise the index describes other
   * pages.
   */
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
      pieces.add(new GroupPiece(whole.group(), whole.filters(), whole.heldBytes(), part, null));
    }
    return pieces;
  }

  /** Returns the first rows of all parts but the first, in ascending order. */
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
   * Returns the row near an ideal row at which a boundary cuts the fewest bytes, 0 when no page
   * begins there.
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

  /** Returns the bytes of the pages with rows on both sides of a boundary. */
  private static long cutBytes(List<OffsetIndex> pages, long row) {
    long bytes = 0;
    for (OffsetIndex index : pages) {
      int page = index.pageOf(row);
      bytes += index.firstRow(page) == row ? 0 : index.lengthInBytes(page);
    }
    return bytes;
  }
}
