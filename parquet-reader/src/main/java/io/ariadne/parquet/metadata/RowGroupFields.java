package io.ariadne.parquet.metadata;

import java.util.List;

/** Parses one row group of the footer. */
final class RowGroupFields {
  private static final long MAGIC_BYTES = 4;
  private static final long UNSET = -1;

  private final ThriftReader reader;
  private final List<SchemaNode> leaves;
  private final int leafCount;
  private final long fileLength;
  private final ChunkFields chunk = new ChunkFields();

  long rowCount;
  long startOffset;
  long compressedBytes;
  ColumnChunk[] chunks;
  RawStatistics[] statistics;
  private long fileOffset;
  private long totalBytes;
  private long chunkBytes;
  private long firstChunkOffset;
  private boolean hasEncrypted;
  private long previousStart;
  private long previousBytes;

  RowGroupFields(ThriftReader reader, SchemaReader schema, long fileLength) {
    this.reader = reader;
    this.leaves = schema.leaves();
    this.leafCount = schema.leafCount();
    this.fileLength = fileLength;
  }

  /** Reads the next row group. Statistics are interpreted later, when the writer is known. */
  void read() {
    rowCount = UNSET;
    fileOffset = UNSET;
    totalBytes = UNSET;
    chunkBytes = 0;
    firstChunkOffset = UNSET;
    chunks = null;
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> readChunks();
        case 3 -> rowCount = reader.readLongCount();
        case 5 -> fileOffset = reader.readI64();
        case 6 -> totalBytes = reader.readLongCount();
        default -> reader.skip();
      }
    }
    if (rowCount == UNSET || chunks == null) {
      throw reader.corrupt("row group without rows or columns");
    }
    compressedBytes = totalBytes == UNSET ? chunkBytes : totalBytes;
    startOffset = start();
    check();
  }

  /**
   * Rejects a row group that no split would contain, and columns with too many or too few values.
   */
  private void check() {
    long midpoint = startOffset + compressedBytes / 2;
    if (midpoint < 0 || midpoint >= fileLength) {
      throw reader.corrupt(
          "row group of " + compressedBytes + " bytes from " + startOffset + " outside the file");
    }
    for (ColumnChunk kept : chunks) {
      boolean isFlat = kept != null && kept.leaf().maxRepetitionLevel() == 0;
      if (isFlat && kept.valueCount() != rowCount) {
        throw reader.corrupt(
            "column "
                + kept.leaf().path()
                + " of "
                + kept.valueCount()
                + " values in a row group of "
                + rowCount
                + " rows");
      }
    }
  }

  private void readChunks() {
    int count = reader.beginList();
    if (count != leafCount) {
      throw reader.corrupt("row group of " + count + " columns, schema of " + leafCount);
    }
    chunks = new ColumnChunk[leaves.size()];
    statistics = new RawStatistics[leaves.size()];
    int next = 0;
    int nextLeaf = leafIndex(0);
    for (int i = 0; i < count; i++) {
      boolean isWanted = i == nextLeaf;
      if (isWanted || i == 0) {
        chunk.read(reader, isWanted);
      } else {
        chunk.pass(reader);
      }
      chunkBytes += chunk.compressedBytes;
      if (chunkBytes < 0) {
        throw reader.corrupt("row group of more than 2^63 bytes");
      }
      if (i == 0 && chunk.hasMetadata) {
        firstChunkOffset = chunk.splitOffset();
      }
      hasEncrypted |= chunk.isEncrypted;
      if (isWanted && !chunk.isEncrypted) {
        keep(next);
      }
      if (isWanted) {
        next++;
        nextLeaf = leafIndex(next);
      }
    }
  }

  /**
   * Returns the index of a selected column among all columns of the file, or one past the last
   * column.
   */
  private int leafIndex(int wanted) {
    return wanted < leaves.size() ? leaves.get(wanted).leafIndex() : SchemaNode.NONE;
  }

  private void keep(int index) {
    SchemaNode leaf = leaves.get(index);
    String problem = chunk.problem(leaf, fileLength);
    if (problem != null) {
      throw reader.corrupt("column " + leaf.path() + ": " + problem);
    }
    if (chunk.isElsewhere) {
      throw reader.corrupt("column " + leaf.path() + " is in another file");
    }
    chunks[index] = new ColumnChunk(leaf, chunk);
    statistics[index] = chunk.statistics;
  }

  /** Returns whether any chunk so far is encrypted. */
  boolean hasEncrypted() {
    return hasEncrypted;
  }

  /**
   * Returns where the row group begins. If the first column's metadata is missing because the
   * column is encrypted, this is the row group's own offset, which is right for the first row group
   * only (PARQUET-2078).
   */
  private long start() {
    if (firstChunkOffset != UNSET) {
      return firstChunkOffset;
    }
    long start = fileOffset;
    boolean isFirst = previousStart == 0;
    if ((isFirst && start != MAGIC_BYTES) || start < previousStart + previousBytes) {
      start = isFirst ? MAGIC_BYTES : previousStart + previousBytes;
    }
    previousStart = start;
    previousBytes = compressedBytes;
    return start;
  }
}
