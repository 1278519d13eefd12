package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.parquet.codec.Decompressors;
import io.ariadne.parquet.column.FlatColumn;
import io.ariadne.parquet.column.LeafSource;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.ChunkRange;
import io.ariadne.parquet.page.PageIo;
import io.ariadne.parquet.page.PageSite;
import io.ariadne.parquet.schema.ResolvedColumn;

/**
 * The column chunks of one row group.
 *
 * @param file the file's name
 * @param reader the file
 * @param group the rows
 * @param io memory, codecs, figures
 */
record RowGroupLeaves(String file, ByteRangeReader reader, RowGroup group, PageIo io)
    implements LeafSource {
  @Override
  public FlatColumn column(ResolvedColumn.Leaf leaf) {
    return column(leaf, false);
  }

  /** Returns how a leaf's values become those of its column. */
  FlatColumn column(ResolvedColumn.Leaf leaf, boolean keepsDictionary) {
    return new FlatColumn(
        site(leaf.leaf()),
        leaf.leaf().kind(),
        storedBytes(leaf.leaf()),
        leaf.type(),
        leaf.layout(),
        leaf.conversion(),
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
    return new ChunkPages(reader, range, io);
  }
}
