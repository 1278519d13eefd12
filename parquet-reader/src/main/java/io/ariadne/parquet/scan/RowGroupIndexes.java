package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.ColumnIndex;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.metadata.PageIndexReader;
import io.ariadne.parquet.metadata.RowGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** The page indexes of one row group, each read when no scan has read it before. Thread-safe. */
final class RowGroupIndexes {
  private final FileMetadata metadata;
  private final RowGroup group;
  private final ByteRangeReader reader;
  private final BufferAllocator allocator;
  private final Map<Integer, OffsetIndex> offsets = new HashMap<>();

  /**
   * Creates indexes without reading any.
   *
   * @param metadata the footer
   * @param group the row group
   * @param reader the file, stays the caller's
   * @param allocator memory to read into
   */
  RowGroupIndexes(
      FileMetadata metadata, RowGroup group, ByteRangeReader reader, BufferAllocator allocator) {
    this.metadata = metadata;
    this.group = group;
    this.reader = reader;
    this.allocator = allocator;
  }

  /** Returns the offset index of a chunk, null when the file has none. */
  synchronized OffsetIndex offsets(ColumnChunk chunk) {
    return chunk.offsetIndex() == null
        ? null
        : offsets.computeIfAbsent(chunk.leaf().leafIndex(), key -> readOffsets(chunk));
  }

  private OffsetIndex readOffsets(ColumnChunk chunk) {
    try {
      return metadata
          .indexes()
          .offsets(
              group,
              chunk,
              () -> PageIndexReader.readOffsetIndex(reader, metadata, group, chunk, allocator));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the column index of a chunk; null when nothing is known. */
  ColumnIndex statistics(ColumnChunk chunk) {
    try {
      int pages = offsets(chunk).pageCount();
      return metadata
          .indexes()
          .statistics(
              group,
              chunk,
              () ->
                  PageIndexReader.readColumnIndex(
                      reader, metadata, group, chunk, pages, allocator));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
