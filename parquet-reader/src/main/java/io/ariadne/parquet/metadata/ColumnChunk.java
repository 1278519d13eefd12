package io.ariadne.parquet.metadata;

import java.util.EnumSet;
import java.util.Set;

/**
 * One column's pages in one row group, and what the footer says about them. Immutable.
 *
 * <p>The range of pages lies inside the file; nothing else of it has been looked at.
 */
public final class ColumnChunk {
  private final SchemaNode leaf;
  private final CompressionCodec codec;
  private final long startOffset;
  private final long dataPageOffset;
  private final long compressedBytes;
  private final long uncompressedBytes;
  private final long valueCount;
  private final int encodings;
  private final int dataPages;
  private final DictionaryUse dictionaryUse;
  private final Statistics statistics;
  private final boolean hasTypeOrder;
  private final boolean nanIsBound;
  private final ByteSpan offsetIndex;
  private final ByteSpan columnIndex;
  private final ByteSpan bloomFilter;

  /** Whether the values of all data pages are ids of dictionary entries. */
  public enum DictionaryUse {
    /** No data page has ids. */
    NONE,
    /** Some have, or nothing is known. */
    SOME,
    /** All have: the dictionary holds every value there is. */
    ALL
  }

  ColumnChunk(SchemaNode leaf, ChunkFields fields) {
    this.leaf = leaf;
    this.codec = fields.codec;
    this.startOffset = fields.startOffset();
    this.dataPageOffset = fields.dataPageOffset;
    this.compressedBytes = fields.compressedBytes;
    this.uncompressedBytes = fields.uncompressedBytes;
    this.valueCount = fields.valueCount;
    this.encodings = fields.encodings;
    this.dataPages = (int) Math.min(fields.dataPages, Integer.MAX_VALUE);
    this.dictionaryUse = fields.dictionaryUse();
    this.statistics = Statistics.NONE;
    this.hasTypeOrder = false;
    this.nanIsBound = false;
    this.offsetIndex = span(fields.offsetIndexOffset, fields.offsetIndexLength);
    this.columnIndex = span(fields.columnIndexOffset, fields.columnIndexLength);
    this.bloomFilter =
        fields.bloomFilterOffset > 0
            ? new ByteSpan(fields.bloomFilterOffset, fields.bloomFilterLength)
            : null;
  }

  private ColumnChunk(
      ColumnChunk chunk, Statistics statistics, boolean hasTypeOrder, boolean nanIsBound) {
    this.leaf = chunk.leaf;
    this.codec = chunk.codec;
    this.startOffset = chunk.startOffset;
    this.dataPageOffset = chunk.dataPageOffset;
    this.compressedBytes = chunk.compressedBytes;
    this.uncompressedBytes = chunk.uncompressedBytes;
    this.valueCount = chunk.valueCount;
    this.encodings = chunk.encodings;
    this.dataPages = chunk.dataPages;
    this.dictionaryUse = chunk.dictionaryUse;
    this.statistics = statistics;
    this.hasTypeOrder = hasTypeOrder;
    this.nanIsBound = nanIsBound;
    this.offsetIndex = chunk.offsetIndex;
    this.columnIndex = chunk.columnIndex;
    this.bloomFilter = chunk.bloomFilter;
  }

  /** Returns this chunk with what is known once the whole footer has been read. */
  ColumnChunk withStatistics(RawStatistics raw, StatisticsTrust trust, boolean isTypeOrdered) {
    return new ColumnChunk(
        this, trust.trusted(leaf, raw, isTypeOrdered), isTypeOrdered, trust.nanIsBound());
  }

  /** Returns whether bounds of floating-point numbers would be NaN if a value were. */
  boolean nanIsBound() {
    return nanIsBound;
  }

  /** Returns whether the file says that bounds are in the order the type defines. */
  boolean hasTypeOrder() {
    return hasTypeOrder;
  }

  private static ByteSpan span(long offset, int length) {
    return offset > 0 && length > 0 ? new ByteSpan(offset, length) : null;
  }

  /** Returns the column. */
  public SchemaNode leaf() {
    return leaf;
  }

  /** Returns how pages are compressed, null when this reader does not know the codec's number. */
  public CompressionCodec codec() {
    return codec;
  }

  /** Returns the offset of the first page: the dictionary's if there is one, else of data. */
  public long startOffset() {
    return startOffset;
  }

  /** Returns the offset of the first data page as the file says, which may be wrong. */
  public long dataPageOffset() {
    return dataPageOffset;
  }

  /** Returns the bytes of all pages with their headers, in the file. */
  public long compressedBytes() {
    return compressedBytes;
  }

  /** Returns the bytes of all pages with their headers, decompressed, as the file says. */
  public long uncompressedBytes() {
    return uncompressedBytes;
  }

  /** Returns the values of all pages, nulls included. */
  public long valueCount() {
    return valueCount;
  }

  /** Returns the encodings that occur, of values and levels. */
  public Set<PageEncoding> encodings() {
    Set<PageEncoding> set = EnumSet.noneOf(PageEncoding.class);
    for (PageEncoding encoding : PageEncoding.values()) {
      if ((encodings & 1 << encoding.ordinal()) != 0) {
        set.add(encoding);
      }
    }
    return set;
  }

  /** Returns the number of data pages as the file says, 0 when it does not. */
  public int dataPages() {
    return dataPages;
  }

  /** Returns which pages are dictionary coded, as far as the footer says. */
  public DictionaryUse dictionaryUse() {
    return dictionaryUse;
  }

  /** Returns what is known of the values; never null. */
  public Statistics statistics() {
    return statistics;
  }

  /** Returns where the pages' places are listed, null when they are not. */
  public ByteSpan offsetIndex() {
    return offsetIndex;
  }

  /** Returns where the pages' statistics are listed, null when they are not. */
  public ByteSpan columnIndex() {
    return columnIndex;
  }

  /** Returns where the bloom filter is, of a length that may be unknown; null without one. */
  public ByteSpan bloomFilter() {
    return bloomFilter;
  }

  @Override
  public String toString() {
    return leaf.path() + " at " + startOffset + ", " + compressedBytes + " bytes";
  }
}
