package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.column.ColumnDecoder;
import io.ariadne.parquet.column.FlatColumn;
import io.ariadne.parquet.column.FlatColumnDecoder;
import io.ariadne.parquet.column.NestedColumnDecoder;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.metadata.PageIndexReader;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.PagePlan;
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
 * @param steps the predicate in parts, null without one
 * @param pruning what the metadata says of the predicate, null without one
 * @param number the slice's place among those of the scan, which its batches carry as their
 *     sequence number
 */
record FileScan(
    ParquetScanSpec spec,
    Schema schema,
    FileMetadata metadata,
    FileColumns columns,
    FilePredicate predicate,
    FilterSteps steps,
    FilePruning pruning,
    long number) {
  /**
   * Applies a scan to a file.
   *
   * @param spec the scan
   * @param schema its columns
   * @param metadata the footer
   * @param columns where the columns come from
   * @param number the slice's place among those of the scan
   */
  static FileScan of(
      ParquetScanSpec spec,
      Schema schema,
      FileMetadata metadata,
      FileColumns columns,
      long number) {
    if (spec.predicate() == null) {
      return new FileScan(spec, schema, metadata, columns, null, null, null, number);
    }
    Expression inFile = FilePredicate.inFile(spec.predicate(), columns);
    FilePredicate predicate = FilePredicate.over(inFile, schema);
    return new FileScan(
        spec,
        schema,
        metadata,
        columns,
        predicate,
        new FilterSteps(inFile, schema),
        new FilePruning(metadata, predicate, columns),
        number);
  }

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
    FileColumns.Source source = columns.sources().get(index);
    if (source instanceof FileColumns.RowIndex) {
      return new RowIndexDecoder(
          schema.field(index).type(), group.firstRow(), worker.decode().allocator());
    }
    if (!(source instanceof FileColumns.Stored stored)) {
      return null;
    }
    RowGroupLeaves leaves = new RowGroupLeaves(metadata.file(), reader, group, worker.io());
    boolean hasLocalTimes = columns.hasLocalTimes(stored.column());
    ColumnDecoder decoder =
        stored.column() instanceof ResolvedColumn.Leaf leaf && isFlat(leaf.leaf())
            ? flat(leaf, leaves, windows, worker, !hasLocalTimes)
            : new NestedColumnDecoder(stored.column(), leaves, worker.decode());
    return hasLocalTimes
        ? new LocalTimeDecoder(decoder, stored.column(), columns.int96Zone())
        : decoder;
  }

  private static boolean isFlat(SchemaNode leaf) {
    return leaf.maxRepetitionLevel() == 0 && leaf.maxDefinitionLevel() <= 1;
  }

  private ColumnDecoder flat(
      ResolvedColumn.Leaf leaf,
      RowGroupLeaves leaves,
      RowWindows windows,
      ScanWorker worker,
      boolean mayBeCoded) {
    RowGroup group = leaves.group();
    FlatColumn column = leaves.column(leaf, mayBeCoded && spec.options().keepsDictionaries());
    ColumnChunk chunk = group.chunk(leaf.leaf().leafIndex());
    if (chunk.valueCount() != group.rowCount()) {
      throw column
          .site()
          .corrupt(
              chunk.startOffset(),
              "chunk of " + chunk.valueCount() + " values for " + group.rowCount() + " rows");
    }
    ChunkPages pages = leaves.pages(leaf.leaf());
    if (chunk.offsetIndex() != null && windows.rowCount() < group.rowCount()) {
      pages.follow(plan(leaves.reader(), group, chunk, windows, worker));
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
}
