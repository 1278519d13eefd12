package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.parquet.column.DecodeContext;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.PageEncoding;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.PageIo;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Limits how much a scan decodes at once, so that its memory does not depend on the size of values.
 */
final class WindowSize {
  /** Rows of the smallest window. Sizes of all windows are multiples of it. */
  static final int STEP_ROWS = 64;

  /**
   * Rows of the largest window. Each row may be a page of its own, and one launch takes a limited
   * number of pages.
   */
  static final int MAX_ROWS = StreamWindows.MAX_SIZE / STEP_ROWS * STEP_ROWS;

  /** Decoded bytes of a list entry. Pages may contain many entries in few bytes. */
  private static final int ENTRY_BYTES = 16;

  /** Size of a page, and of a dictionary, that writers use by default. */
  private static final long USUAL_PAGE_BYTES = 1 << 20;

  private static final int MAX_READ_BYTES = 32 << 20;
  private static final int MIN_READ_BYTES = 64 << 10;

  /** Assumed size of a value of which the file stores only the difference from the previous one. */
  private static final long SHARED_TEXT_BYTES = 2048;

  private static final Set<PageEncoding> DELTAS =
      EnumSet.of(
          PageEncoding.DELTA_BINARY_PACKED,
          PageEncoding.DELTA_LENGTH_BYTE_ARRAY,
          PageEncoding.DELTA_BYTE_ARRAY);

  private WindowSize() {}

  /** Returns the bytes that one of several leaves may read at once; all leaves read together. */
  static int readBytes(int leafCount) {
    int share = MAX_READ_BYTES / Math.max(leafCount, 1);
    return Math.min(Math.max(share, MIN_READ_BYTES), PageIo.DEFAULT_WINDOW_BYTES);
  }

  /**
   * Returns the memory that reading a row group takes at a time, besides finished batches: bytes
   * read ahead, bytes of pages that are still needed, the pages of a window and one more page of
   * each column, dictionaries, values buffered for the next windows, and the columns of the window.
   * This estimate does not grow with the row group.
   *
   * @param group the rows
   * @param leaves the columns that are read
   * @param windowBytes most bytes of a window
   */
  static long heldBytes(RowGroup group, List<SchemaNode> leaves, long windowBytes) {
    long readBytes = readBytes(leaves.size());
    long bytes = 0;
    long plain = 0;
    long kept = 0;
    for (SchemaNode leaf : leaves) {
      ColumnChunk chunk = group.chunk(leaf.leafIndex());
      bytes += Math.min(chunk.compressedBytes(), 2 * readBytes);
      bytes += Math.min(chunk.uncompressedBytes(), 2 * USUAL_PAGE_BYTES);
      double decoded = Math.max(decodedBytes(chunk, group.rowCount()), sharedText(chunk));
      plain += Math.min((long) decoded, windowBytes);
      kept += Math.min(keptBytes(chunk), DecodeContext.MAX_BUFFERED_BYTES);
    }
    long mostKept =
        DecodeContext.MAX_BUFFERED_BYTES + leaves.size() * DecodeContext.MIN_BUFFERED_BYTES;
    return bytes + Math.min(kept, mostKept) + 2 * Math.min(plain, windowBytes);
  }

  /**
   * Returns the bytes of a page that a column buffers for the following windows, before the limit.
   */
  private static long keptBytes(ColumnChunk chunk) {
    if (Collections.disjoint(chunk.encodings(), DELTAS)) {
      return 0;
    }
    double values = (double) chunk.valueCount() * valueBytes(chunk.leaf());
    return (long) ((values + sharedText(chunk)) / Math.max(chunk.dataPages() / 2, 1));
  }

  /** Returns whether the file stores only a part of each of a chunk's values. */
  private static boolean hasSharedText(ColumnChunk chunk) {
    return chunk.encodings().contains(PageEncoding.DELTA_BYTE_ARRAY);
  }

  private static double sharedText(ColumnChunk chunk) {
    return hasSharedText(chunk) ? SHARED_TEXT_BYTES * (double) chunk.valueCount() : 0;
  }

  /** Returns whether nothing in the footer tells the amount of text in the rows. */
  static boolean isTextUnknown(RowGroup group, List<SchemaNode> leaves) {
    return leaves.stream().anyMatch(leaf -> hasSharedText(group.chunk(leaf.leafIndex())));
  }

  /**
   * Returns the decoded bytes of a chunk's values, which exceed the encoded ones where there are
   * runs.
   */
  private static double decodedBytes(ColumnChunk chunk, long rowCount) {
    boolean isList = chunk.leaf().maxRepetitionLevel() > 0;
    double values =
        isList
            ? (double) chunk.valueCount() * ENTRY_BYTES
            : (double) rowCount * valueBytes(chunk.leaf());
    return Math.max(chunk.uncompressedBytes(), values);
  }

  /** Returns the largest size of a value in a column, in bytes. */
  private static int valueBytes(SchemaNode leaf) {
    return switch (leaf.kind()) {
      case BOOLEAN -> 1;
      case INT32, FLOAT -> Integer.BYTES;
      case INT64, DOUBLE, INT96 -> Long.BYTES;
      default -> ENTRY_BYTES;
    };
  }

  /**
   * Returns the number of rows to decode at once, fewer than a full batch if rows are large.
   *
   * @param group the rows; the sizes it states need not be true
   * @param leaves the columns that are read
   * @param limits most rows and bytes
   * @return a multiple of {@link #STEP_ROWS}, at least that, at most the limit
   */
  static int rows(RowGroup group, List<SchemaNode> leaves, WindowLimits limits) {
    double bytes = 0;
    for (SchemaNode leaf : leaves) {
      bytes += decodedBytes(group.chunk(leaf.leafIndex()), group.rowCount());
    }
    return rows(bytes, group.rowCount(), limits);
  }

  /** Returns the number of rows to decode at once, given the bytes of all rows. */
  static int rows(double bytes, long rowCount, WindowLimits limits) {
    double fitting = limits.bytes() * (double) rowCount / Math.max(bytes, 1);
    int rows = (int) Math.min(fitting, limits.rows()); // not negative, truncated
    return Math.max(rows / STEP_ROWS * STEP_ROWS, STEP_ROWS);
  }

  /** Returns the number of leaf columns that a column of a type is stored as, at least 1. */
  static int leafCount(DataType type) {
    if (type instanceof ListType list) {
      return leafCount(list.element());
    }
    if (type instanceof MapType map) {
      return leafCount(map.key()) + leafCount(map.value());
    }
    if (type instanceof StructType struct) {
      int leaves = struct.fields().stream().mapToInt(member -> leafCount(member.type())).sum();
      return Math.max(leaves, 1);
    }
    return 1;
  }
}
