package io.ariadne.parquet.metadata;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The page indexes of one file that have been read. They live as long as the file's footer, so that
 * later scans of the file read neither. Thread-safe.
 */
public final class ParsedIndexes {
  private static final long INDEX_BYTES = 128;
  private static final long LOCATION_BYTES = 20;
  private static final long PAGE_BYTES = 64;

  private final ConcurrentMap<Key, OffsetIndex> offsets = new ConcurrentHashMap<>();
  private final ConcurrentMap<Key, ColumnIndex> statistics = new ConcurrentHashMap<>();
  private final AtomicLong weight = new AtomicLong();

  ParsedIndexes() {}

  /** Identifies a column chunk. */
  private record Key(int rowGroup, int leaf) {
    static Key of(RowGroup group, ColumnChunk chunk) {
      return new Key(group.ordinal(), chunk.leaf().leafIndex());
    }
  }

  /** Reads an index that is not known. */
  @FunctionalInterface
  public interface Loader<T> {
    /**
     * Reads the index.
     *
     * @throws IOException when reading fails
     */
    T load() throws IOException;
  }

  /** Returns whether the offset index of a chunk is known. */
  public boolean hasOffsets(RowGroup group, ColumnChunk chunk) {
    return offsets.containsKey(Key.of(group, chunk));
  }

  /** Returns whether the column index of a chunk is known. */
  public boolean hasStatistics(RowGroup group, ColumnChunk chunk) {
    return statistics.containsKey(Key.of(group, chunk));
  }

  /**
   * Returns the offset index of a chunk. Several threads may read it at once.
   *
   * @param group the row group
   * @param chunk one of its chunks
   * @param loader reads the index if it is not known
   * @throws IOException when reading fails
   */
  public OffsetIndex offsets(RowGroup group, ColumnChunk chunk, Loader<OffsetIndex> loader)
      throws IOException {
    Key key = Key.of(group, chunk);
    OffsetIndex known = offsets.get(key);
    if (known != null) {
      return known;
    }
    OffsetIndex read = loader.load();
    if (offsets.putIfAbsent(key, read) == null) {
      weight.addAndGet(INDEX_BYTES + LOCATION_BYTES * read.pageCount());
    }
    return read;
  }

  /** Returns the column index of a chunk; otherwise as {@link #offsets}. */
  public ColumnIndex statistics(RowGroup group, ColumnChunk chunk, Loader<ColumnIndex> loader)
      throws IOException {
    Key key = Key.of(group, chunk);
    ColumnIndex known = statistics.get(key);
    if (known != null) {
      return known;
    }
    ColumnIndex read = loader.load();
    if (statistics.putIfAbsent(key, read) == null) {
      // Bounds take about as many bytes on the heap as the index in the file.
      long stored = Math.max(chunk.columnIndex().lengthInBytes(), 0);
      weight.addAndGet(INDEX_BYTES + stored + PAGE_BYTES * read.pageCount());
    }
    return read;
  }

  /** Returns approximately how many bytes of the Java heap the indexes take. */
  long weight() {
    return weight.get();
  }
}
