package io.ariadne.parquet.metadata;

import java.util.EnumSet;
import java.util.Set;

/**
 * The pages of one column in one row group, as the footer describes them. Immutable.
 *
 * <p>The range of the pages is known to lie inside the file. Nothing else has been checked against
 * the pages.
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

  /** How many of the data pages hold ids of dictionary entries. */
  public enum DictionaryUse {
    /** No data page holds ids. */
    NONE,
    /** Some data pages hold ids, or the footer does not say. */
    SOME,
    /** All data pages hold ids, so the dictionary contains every value of the chunk. */
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

  /**
   * Returns this chunk with its trusted statistics, which are known once the whole footer has been
   * read.
   */
  ColumnChunk withStatistics(RawStatistics raw, StatisticsTrust trust, boolean isTypeOrdered) {
    return new ColumnChunk(
        this, trust.trusted(leaf, raw, isTypeOrdered), isTypeOrdered, trust.nanIsBound());
  }

  /** Returns whether the bounds of floating-point numbers are NaN whenever a value is. */
  boolean nanIsBound() {
    return nanIsBound;
  }

  /** Returns whether the file says that bounds are in the order that the type defines. */
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

  /** Returns the compression codec, null when this reader does not know the codec's number. */
  public CompressionCodec codec() {
    return codec;
  }

  /**
   * Returns the offset of the first page: the dictionary page if there is one, else the first data
   * page.
   */
  public long startOffset() {
    return startOffset;
  }

  /** Returns the offset of the first data page as the file states it, which may be wrong. */
  public long dataPageOffset() {
    return dataPageOffset;
  }

  /** Returns the size of all pages in the file, including their headers. */
  public long compressedBytes() {
    return compressedBytes;
  }

  /** Returns the decompressed size of all pages, including their headers, as the file states it. */
  public long uncompressedBytes() {
    return uncompressedBytes;
  }

  /** Returns the number of values in all pages, including nulls. */
  public long valueCount() {
    return valueCount;
  }

  /** Returns the encodings of values and levels that occur in the chunk. */
  public Set<PageEncoding> encodings() {
    Set<PageEncoding> set = EnumSet.noneOf(PageEncoding.class);
    for (PageEncoding encoding : PageEncoding.values()) {
      if ((encodings & 1 << encoding.ordinal()) != 0) {
        set.add(encoding);
      }
    }
    return set;
  }

  /** Returns the number of data pages as the file states it, 0 when it does not. */
  public int dataPages() {
    return dataPages;
  }

  /** Returns how many pages are dictionary-encoded, as far as the footer tells. */
  public DictionaryUse dictionaryUse() {
    return dictionaryUse;
  }

  /** Returns the trusted statistics of the values; never null. */
  public Statistics statistics() {
    return statistics;
  }

  /** Returns where the offset index is, null without one. */
  public ByteSpan offsetIndex() {
    return offsetIndex;
  }

  /** Returns where the column index is, null without one. */
  public ByteSpan columnIndex() {
    return columnIndex;
  }

  /** Returns where the bloom filter is, null without one. Its length may be unknown. */
  public ByteSpan bloomFilter() {
    return bloomFilter;
  }

  @Override
  public String toString() {
    return leaf.path() + " at " + startOffset + ", " + compressedBytes + " bytes";
  }
}
