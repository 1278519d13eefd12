package io.ariadne.parquet.metadata;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Arrays;

/**
 * A row group of a file. Immutable; holds only the chunks of selected columns.
 *
 * <p>A row group belongs to the split of a file that contains its {@link #midpoint()}, as in
 * parquet-mr ({@code ParquetMetadataConverter.filterFileMetaDataByMidpoint}), so that both readers
 * assign row groups to splits alike.
 */
public final class RowGroup {
  private final String file;
  private final int ordinal;
  private final long rowCount;
  private final long firstRow;
  private final long startOffset;
  private final long compressedBytes;
  private final ColumnChunk[] chunks;
  private final int[] leafIndexes;

  RowGroup(String file, int ordinal, long firstRow, RowGroupFields fields, int[] leafIndexes) {
    this.file = file;
    this.ordinal = ordinal;
    this.firstRow = firstRow;
    this.rowCount = fields.rowCount;
    this.startOffset = fields.startOffset;
    this.compressedBytes = fields.compressedBytes;
    this.chunks = fields.chunks;
    this.leafIndexes = leafIndexes;
  }

  /** Returns this row group with its trusted statistics. */
  RowGroup withStatistics(StatisticsTrust trust, RawStatistics[] raw, ColumnOrders orders) {
    ColumnChunk[] trusted = new ColumnChunk[chunks.length];
    for (int i = 0; i < trusted.length; i++) {
      if (chunks[i] != null) {
        SchemaNode leaf = chunks[i].leaf();
        boolean hasTypeOrder = orders.isTypeDefined(leaf.leafIndex());
        trusted[i] = chunks[i].withStatistics(raw[i], trust, hasTypeOrder);
      }
    }
    return new RowGroup(this, trusted);
  }

  private RowGroup(RowGroup group, ColumnChunk[] chunks) {
    this.file = group.file;
    this.ordinal = group.ordinal;
    this.firstRow = group.firstRow;
    this.rowCount = group.rowCount;
    this.startOffset = group.startOffset;
    this.compressedBytes = group.compressedBytes;
    this.chunks = chunks;
    this.leafIndexes = group.leafIndexes;
  }

  /** Returns the index of this row group in the file. */
  public int ordinal() {
    return ordinal;
  }

  /** Returns the number of rows. */
  public long rowCount() {
    return rowCount;
  }

  /** Returns the number of rows of the file before this row group. */
  public long firstRow() {
    return firstRow;
  }

  /** Returns the offset of the first column's first page, from which the midpoint is computed. */
  public long startOffset() {
    return startOffset;
  }

  /** Returns the compressed size of all columns' pages, selected or not. */
  public long compressedBytes() {
    return compressedBytes;
  }

  /** Returns the offset that decides which split this row group belongs to. */
  public long midpoint() {
    return startOffset + compressedBytes / 2;
  }

  /**
   * Returns a column's chunk.
   *
   * @param leafIndex {@link SchemaNode#leafIndex()} of a selected leaf
   * @throws EngineException UNSUPPORTED when the chunk is encrypted
   */
  public ColumnChunk chunk(int leafIndex) {
    int position = Arrays.binarySearch(leafIndexes, leafIndex);
    if (position < 0) {
      throw new IllegalArgumentException("leaf " + leafIndex + " was not selected");
    }
    if (chunks[position] == null) {
      throw new EngineException(
          ErrorCode.UNSUPPORTED, "leaf " + leafIndex + " of " + this + " is encrypted, in " + file);
    }
    return chunks[position];
  }

  /** Returns the size of a chunk's bounds in bytes. */
  long boundBytes(int leafIndex) {
    ColumnChunk chunk = chunks[Arrays.binarySearch(leafIndexes, leafIndex)];
    return chunk == null || !chunk.statistics().hasBounds()
        ? 0
        : chunk.statistics().min().length + chunk.statistics().max().length;
  }

  @Override
  public String toString() {
    return "row group " + ordinal + ", " + rowCount + " rows from byte " + startOffset;
  }
}
