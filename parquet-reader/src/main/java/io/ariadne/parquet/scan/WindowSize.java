package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.kernel.parquet.ParquetTasks;
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

/** How much a scan takes at once, so that its memory does not depend on how large values are. */
final class WindowSize {
  /** Decompressed bytes of all columns that a window of rows may have, on average. */
  static final long MAX_DECOMPRESSED_BYTES = 32L << 20;

  /** Rows of the smallest window, of which those of all windows are a multiple. */
  static final int STEP_ROWS = 64;

  /** Rows of the largest window: each may be a page of its own, of which a launch takes so many. */
  static final int MAX_ROWS = ParquetTasks.MAX_TASKS / STEP_ROWS * STEP_ROWS;

  /** Decoded bytes of an entry of a list, of which pages may hold many in a few bytes. */
  private static final int ENTRY_BYTES = 16;

  /** Bytes of a page, and of a dictionary, that writers keep to unless told otherwise. */
  private static final long USUAL_PAGE_BYTES = 1 << 20;

  private static final int MAX_READ_BYTES = 32 << 20;
  private static final int MIN_READ_BYTES = 64 << 10;

  /** Bytes of a value of which the file stores only what differs from the one before. */
  private static final long SHARED_TEXT_BYTES = 2048;

  private static final Set<PageEncoding> DELTAS =
      EnumSet.of(
          PageEncoding.DELTA_BINARY_PACKED,
          PageEncoding.DELTA_LENGTH_BYTE_ARRAY,
          PageEncoding.DELTA_BYTE_ARRAY);

  private WindowSize() {}

  /** Returns bytes that one of so many leaves may read at once: all of them are read together. */
  static int readBytes(int leafCount) {
    int share = MAX_READ_BYTES / Math.max(leafCount, 1);
    return Math.min(Math.max(share, MIN_READ_BYTES), PageIo.DEFAULT_WINDOW_BYTES);
  }

  /**
   * Returns what reading a row group holds at a time, besides finished batches: bytes read ahead
   * and those before whose pages are still needed, the pages of a window and one more of each
   * column, dictionaries, values kept for the next windows, and the columns of the window. An
   * estimate that does not grow with the row group.
   *
   * @param group the rows
   * @param leaves the columns that are read
   */
  static long heldBytes(RowGroup group, List<SchemaNode> leaves) {
    long readBytes = readBytes(leaves.size());
    long bytes = 0;
    long plain = 0;
    long kept = 0;
    for (SchemaNode leaf : leaves) {
      ColumnChunk chunk = group.chunk(leaf.leafIndex());
      bytes += Math.min(chunk.compressedBytes(), 2 * readBytes);
      bytes += Math.min(chunk.uncompressedBytes(), 2 * USUAL_PAGE_BYTES);
      double decoded = Math.max(decodedBytes(chunk, group.rowCount()), sharedText(chunk));
      plain += Math.min((long) decoded, MAX_DECOMPRESSED_BYTES);
      kept += Math.min(keptBytes(chunk), DecodeContext.MAX_KEPT_BYTES);
    }
    long mostKept = DecodeContext.MAX_KEPT_BYTES + leaves.size() * DecodeContext.LEAST_KEPT_BYTES;
    return bytes + Math.min(kept, mostKept) + 2 * Math.min(plain, MAX_DECOMPRESSED_BYTES);
  }

  /** Returns what a column keeps of a page for the windows that follow, without the bound on it. */
  private static long keptBytes(ColumnChunk chunk) {
    if (Collections.disjoint(chunk.encodings(), DELTAS)) {
      return 0;
    }
    double values = (double) chunk.valueCount() * valueBytes(chunk.leaf());
    return (long) ((values + sharedText(chunk)) / Math.max(chunk.dataPages() / 2, 1));
  }

  /** Returns whether a chunk has values of which the file stores only a part each. */
  private static boolean hasSharedText(ColumnChunk chunk) {
    return chunk.encodings().contains(PageEncoding.DELTA_BYTE_ARRAY);
  }

  private static double sharedText(ColumnChunk chunk) {
    return hasSharedText(chunk) ? SHARED_TEXT_BYTES * (double) chunk.valueCount() : 0;
  }

  /** Returns whether nothing in the footer tells how much text the rows are. */
  static boolean isTextUnknown(RowGroup group, List<SchemaNode> leaves) {
    return leaves.stream().anyMatch(leaf -> hasSharedText(group.chunk(leaf.leafIndex())));
  }

  /** Returns the bytes of a chunk's values: more than encoded, where runs of them are. */
  private static double decodedBytes(ColumnChunk chunk, long rowCount) {
    boolean isList = chunk.leaf().maxRepetitionLevel() > 0;
    double values =
        isList
            ? (double) chunk.valueCount() * ENTRY_BYTES
            : (double) rowCount * valueBytes(chunk.leaf());
    return Math.max(chunk.uncompressedBytes(), values);
  }

  /** Returns the bytes of a value in a column, at most. */
  private static int valueBytes(SchemaNode leaf) {
    return switch (leaf.kind()) {
      case BOOLEAN -> 1;
      case INT32, FLOAT -> Integer.BYTES;
      case INT64, DOUBLE, INT96 -> Long.BYTES;
      default -> ENTRY_BYTES;
    };
  }

  /**
   * Returns the rows to decode at once: fewer than a full batch where rows are heavy.
   *
   * @param group the rows; what it says of their bytes need not be true
   * @param leaves the columns that are read
   * @param batchRows rows of a full batch, a multiple of {@link #STEP_ROWS}
   * @return a multiple of {@link #STEP_ROWS}, at least that, at most {@code batchRows} and {@link
   *     #MAX_ROWS}
   */
  static int rows(RowGroup group, List<SchemaNode> leaves, int batchRows) {
    double bytes = 0;
    for (SchemaNode leaf : leaves) {
      bytes += decodedBytes(group.chunk(leaf.leafIndex()), group.rowCount());
    }
    return rows(bytes, group.rowCount(), batchRows);
  }

  /** Returns the rows to decode at once, given the bytes of all rows. */
  static int rows(double bytes, long rowCount, int batchRows) {
    double fitting = MAX_DECOMPRESSED_BYTES * (double) rowCount / Math.max(bytes, 1);
    int rows = (int) Math.min(fitting, Math.min(batchRows, MAX_ROWS)); // not below 0, cut off
    return Math.max(rows / STEP_ROWS * STEP_ROWS, STEP_ROWS);
  }

  /** Returns the columns of values that a column of a type is stored as, at least 1. */
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
