package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.kernel.parquet.ParquetTasks;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.PageIo;
import java.util.List;

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

  private WindowSize() {}

  /** Returns bytes that one of so many leaves may read at once: all of them are read together. */
  static int readBytes(int leafCount) {
    int share = MAX_READ_BYTES / Math.max(leafCount, 1);
    return Math.min(Math.max(share, MIN_READ_BYTES), PageIo.DEFAULT_WINDOW_BYTES);
  }

  /**
   * Returns what reading a row group holds at a time, besides finished batches: bytes read ahead
   * and those before whose pages are still needed, the pages of a window and one more of each
   * column, dictionaries, and the columns of the window. An estimate that does not grow with the
   * row group.
   *
   * @param group the rows
   * @param leaves the columns that are read
   */
  static long heldBytes(RowGroup group, List<SchemaNode> leaves) {
    long readBytes = readBytes(leaves.size());
    long bytes = 0;
    long plain = 0;
    for (SchemaNode leaf : leaves) {
      ColumnChunk chunk = group.chunk(leaf.leafIndex());
      bytes += Math.min(chunk.compressedBytes(), 2 * readBytes);
      bytes += Math.min(chunk.uncompressedBytes(), 2 * USUAL_PAGE_BYTES);
      plain += Math.min(chunk.uncompressedBytes(), MAX_DECOMPRESSED_BYTES);
    }
    return bytes + 2 * Math.min(plain, MAX_DECOMPRESSED_BYTES);
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
      ColumnChunk chunk = group.chunk(leaf.leafIndex());
      double entries = leaf.maxRepetitionLevel() == 0 ? 0 : chunk.valueCount();
      bytes += Math.max(chunk.uncompressedBytes(), entries * ENTRY_BYTES);
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
