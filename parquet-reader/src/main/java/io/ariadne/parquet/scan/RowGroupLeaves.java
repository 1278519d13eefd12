package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.codec.Decompressors;
import io.ariadne.parquet.column.FlatColumn;
import io.ariadne.parquet.column.LeafSource;
import io.ariadne.parquet.column.SharedDictionaries;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.ChunkRange;
import io.ariadne.parquet.page.PagePlan;
import io.ariadne.parquet.page.PageSite;
import io.ariadne.parquet.prune.DecimalWidth;
import io.ariadne.parquet.prune.FilterLevel;
import io.ariadne.parquet.schema.ResolvedColumn;
import java.util.function.IntFunction;

/**
 * Gives access to the column chunks of one row group, reading only pages that contain certain rows.
 *
 * @param file the file's name
 * @param readers returns the reader of a column chunk by the number of its leaf
 * @param group the row group
 * @param windows the rows to decode
 * @param indexes the page indexes
 * @param worker memory, codecs and statistics
 * @param sharedDictionaries shared by the readers of the row group's parts, null when there are
 *     none
 */
record RowGroupLeaves(
    String file,
    IntFunction<ByteRangeReader> readers,
    RowGroup group,
    RowWindows windows,
    RowGroupIndexes indexes,
    ScanWorker worker,
    SharedDictionaries sharedDictionaries)
    implements LeafSource {
  @Override
  public FlatColumn column(ResolvedColumn.Leaf leaf) {
    return column(leaf, leaf.layout(), leaf.conversion(), false);
  }

  /**
   * Returns how the values of a leaf that is a column of its own become those of the column.
   * Decimals are as narrow as statistics prove.
   *
   * @param leaf the column
   * @param options which metadata may be used, and whether dictionaries are kept
   * @param mayBeCoded whether the column may stay dictionary-encoded
   */
  FlatColumn flatColumn(ResolvedColumn.Leaf leaf, ParquetScanOptions options, boolean mayBeCoded) {
    boolean keepsDictionary = mayBeCoded && options.keepsDictionaries();
    boolean isDecimal =
        leaf.type() instanceof DecimalType && leaf.conversion() != ValueConversion.UINT64_TO_I128;
    if (!isDecimal) {
      return column(leaf, leaf.layout(), leaf.conversion(), keepsDictionary);
    }
    boolean usesStatistics =
        options.pushdown().uses(FilterLevel.STATISTICS)
            && options.pushdown().usesValuesOf(leaf.type());
    PhysicalType layout =
        DecimalWidth.of(leaf, usesStatistics ? group.chunk(leaf.leaf().leafIndex()) : null);
    ValueConversion conversion =
        leaf.conversion() == null ? null : decimals(leaf.leaf().kind(), layout);
    return column(leaf, layout, conversion, keepsDictionary);
  }

  private static ValueConversion decimals(PhysicalKind kind, PhysicalType layout) {
    return switch (layout) {
      case I32 ->
          switch (kind) {
            case INT32 -> ValueConversion.INT32_TO_DECIMAL32;
            case INT64 -> ValueConversion.INT64_TO_DECIMAL32;
            default -> ValueConversion.BIG_ENDIAN_TO_DECIMAL32;
          };
      case I64 ->
          switch (kind) {
            case INT32 -> ValueConversion.INT32_TO_DECIMAL64;
            case INT64 -> ValueConversion.INT64_TO_DECIMAL64;
            default -> ValueConversion.BIG_ENDIAN_TO_DECIMAL64;
          };
      default ->
          switch (kind) {
            case INT32 -> ValueConversion.INT32_TO_DECIMAL128;
            case INT64 -> ValueConversion.INT64_TO_DECIMAL128;
            default -> ValueConversion.BIG_ENDIAN_TO_DECIMAL128;
          };
    };
  }

  private FlatColumn column(
      ResolvedColumn.Leaf leaf,
      PhysicalType layout,
      ValueConversion conversion,
      boolean keepsDictionary) {
    return new FlatColumn(
        site(leaf.leaf()),
        leaf.leaf().kind(),
        storedBytes(leaf.leaf()),
        leaf.type(),
        layout,
        conversion,
        leaf.scale(),
        leaf.calendar(),
        keepsDictionary);
  }

  @Override
  public FlatColumn witness(SchemaNode leaf) {
    return new FlatColumn(
        site(leaf),
        leaf.kind(),
        storedBytes(leaf),
        PrimitiveType.NULL,
        PhysicalType.NONE,
        null,
        0,
        CalendarRebase.NONE,
        false);
  }

  private static int storedBytes(SchemaNode leaf) {
    return leaf.kind() == PhysicalKind.FIXED_LEN_BYTE_ARRAY
        ? leaf.typeLength()
        : leaf.kind().widthInBytes();
  }

  private PageSite site(SchemaNode leaf) {
    return new PageSite(file, leaf.path(), group.ordinal());
  }

  @Override
  public ChunkPages pages(SchemaNode leaf) {
    ColumnChunk chunk = group.chunk(leaf.leafIndex());
    PageSite site = site(leaf);
    if (chunk.codec() == null || !Decompressors.isSupported(chunk.codec())) {
      String codec = chunk.codec() == null ? "of an unknown number" : chunk.codec().toString();
      throw site.unsupported("no library for codec " + codec);
    }
    ChunkRange range =
        new ChunkRange(
            site,
            chunk.codec(),
            chunk.startOffset(),
            chunk.compressedBytes(),
            chunk.valueCount(),
            leaf.maxDefinitionLevel(),
            leaf.maxRepetitionLevel());
    ChunkPages pages = new ChunkPages(readers.apply(leaf.leafIndex()), range, worker.io());
    OffsetIndex index = windows.rowCount() < group.rowCount() ? indexes.offsets(chunk) : null;
    if (index != null) {
      pages.follow(new PagePlan(index, windows.pages(index)));
    }
    return pages;
  }
}
