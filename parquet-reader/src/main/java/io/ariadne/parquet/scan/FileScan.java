package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.codec.Decompressors;
import io.ariadne.parquet.column.ColumnDecoder;
import io.ariadne.parquet.column.FlatColumn;
import io.ariadne.parquet.column.FlatColumnDecoder;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.metadata.PageIndexReader;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.ChunkRange;
import io.ariadne.parquet.page.PagePlan;
import io.ariadne.parquet.page.PageSite;
import io.ariadne.parquet.schema.ResolvedColumn;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A scan as it applies to one file: where columns come from and what the predicate is. Immutable,
 * shared by the file's splits.
 *
 * @param spec the scan
 * @param schema its columns
 * @param metadata the footer
 * @param columns where the columns come from
 * @param predicate what rows have to satisfy, null when all are wanted
 * @param pruning what the metadata says of the predicate, null without one
 */
record FileScan(
    ParquetScanSpec spec,
    Schema schema,
    FileMetadata metadata,
    FileColumns columns,
    FilePredicate predicate,
    FilePruning pruning) {
  /**
   * Makes the decoder of a column.
   *
   * @param index number of the scan's column
   * @param reader the file
   * @param group the rows
   * @param windows the rows that are decoded
   * @param worker what to work with
   * @return a decoder owned by the caller, null for a constant
   */
  ColumnDecoder decoder(
      int index, ByteRangeReader reader, RowGroup group, RowWindows windows, ScanWorker worker) {
    if (!(columns.sources().get(index) instanceof FileColumns.Stored stored)) {
      return null;
    }
    if (stored.column() instanceof ResolvedColumn.Leaf leaf && isFlat(leaf.leaf())) {
      return flat(leaf, reader, group, windows, worker);
    }
    throw new EngineException(
        ErrorCode.UNSUPPORTED, "nested column " + schema.field(index) + " of " + metadata.file());
  }

  private static boolean isFlat(SchemaNode leaf) {
    return leaf.maxRepetitionLevel() == 0 && leaf.maxDefinitionLevel() <= 1;
  }

  private ColumnDecoder flat(
      ResolvedColumn.Leaf leaf,
      ByteRangeReader reader,
      RowGroup group,
      RowWindows windows,
      ScanWorker worker) {
    FlatColumn column = flatColumn(leaf, group);
    ColumnChunk chunk = group.chunk(leaf.leaf().leafIndex());
    checkCodec(chunk, column.site());
    if (chunk.valueCount() != group.rowCount()) {
      throw column
          .site()
          .corrupt(
              chunk.startOffset(),
              "chunk of " + chunk.valueCount() + " values for " + group.rowCount() + " rows");
    }
    ChunkPages pages = new ChunkPages(reader, range(chunk, column.site()), worker.io());
    if (chunk.offsetIndex() != null && windows.rowCount() < group.rowCount()) {
      pages.follow(plan(reader, group, chunk, windows, worker));
    }
    return new FlatColumnDecoder(column, pages, worker.decode());
  }

  private PagePlan plan(
      ByteRangeReader reader,
      RowGroup group,
      ColumnChunk chunk,
      RowWindows windows,
      ScanWorker worker) {
    try {
      OffsetIndex index =
          PageIndexReader.readOffsetIndex(reader, metadata, group, chunk, worker.pages());
      return new PagePlan(index, windows.pages(index));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FlatColumn flatColumn(ResolvedColumn.Leaf leaf, RowGroup group) {
    SchemaNode node = leaf.leaf();
    int width = node.kind().widthInBytes();
    return new FlatColumn(
        new PageSite(metadata.file(), node.path(), group.ordinal()),
        node.kind(),
        node.kind() == PhysicalKind.FIXED_LEN_BYTE_ARRAY ? node.typeLength() : width,
        leaf.type(),
        leaf.layout(),
        leaf.conversion(),
        leaf.scale(),
        leaf.calendar(),
        spec.options().keepsDictionaries());
  }

  private static void checkCodec(ColumnChunk chunk, PageSite site) {
    if (chunk.codec() == null || !Decompressors.isSupported(chunk.codec())) {
      String codec = chunk.codec() == null ? "of an unknown number" : chunk.codec().toString();
      throw site.unsupported("no library for codec " + codec);
    }
  }

  private static ChunkRange range(ColumnChunk chunk, PageSite site) {
    return new ChunkRange(
        site,
        chunk.codec(),
        chunk.startOffset(),
        chunk.compressedBytes(),
        chunk.valueCount(),
        chunk.leaf().maxDefinitionLevel(),
        chunk.leaf().maxRepetitionLevel());
  }
}
