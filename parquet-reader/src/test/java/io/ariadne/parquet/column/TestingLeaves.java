package io.ariadne.parquet.column;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.ChunkRange;
import io.ariadne.parquet.page.PageIo;
import io.ariadne.parquet.page.PageSite;
import io.ariadne.parquet.schema.ResolvedColumn;

/**
 * The leaves of a row group, opened without a scan.
 *
 * @param reader the file
 * @param metadata its footer
 * @param group the row group
 * @param io reads pages
 */
record TestingLeaves(ByteRangeReader reader, FileMetadata metadata, RowGroup group, PageIo io)
    implements LeafSource {
  @Override
  public FlatColumn column(ResolvedColumn.Leaf leaf) {
    SchemaNode node = leaf.leaf();
    boolean isFixed = node.kind() == PhysicalKind.FIXED_LEN_BYTE_ARRAY;
    return new FlatColumn(
        site(node),
        node.kind(),
        isFixed ? node.typeLength() : node.kind().widthInBytes(),
        leaf.type(),
        leaf.layout(),
        leaf.conversion(),
        leaf.scale(),
        leaf.calendar(),
        false);
  }

  @Override
  public FlatColumn witness(SchemaNode leaf) {
    return new FlatColumn(
        site(leaf),
        leaf.kind(),
        0,
        PrimitiveType.BINARY,
        PhysicalType.VIEW16,
        null,
        0,
        CalendarRebase.NONE,
        false);
  }

  @Override
  public ChunkPages pages(SchemaNode leaf) {
    ColumnChunk chunk = group.chunk(leaf.leafIndex());
    ChunkRange range =
        new ChunkRange(
            site(leaf),
            chunk.codec(),
            chunk.startOffset(),
            chunk.compressedBytes(),
            chunk.valueCount(),
            leaf.maxDefinitionLevel(),
            leaf.maxRepetitionLevel());
    return new ChunkPages(reader, range, io);
  }

  private PageSite site(SchemaNode leaf) {
    return new PageSite(metadata.file(), leaf.path(), group.ordinal());
  }
}
