package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.column.ColumnDecoder;
import io.ariadne.parquet.column.FlatColumn;
import io.ariadne.parquet.column.FlatColumnDecoder;
import io.ariadne.parquet.column.NestedColumnDecoder;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.prune.PruningOutcome;
import io.ariadne.parquet.prune.RowRanges;
import io.ariadne.parquet.schema.ResolvedColumn;

/**
 * A scan applied to one file: where each column comes from, and the predicate over the file's
 * columns. Immutable, shared by the file's splits.
 *
 * @param spec the scan
 * @param schema the scan's columns
 * @param metadata the footer
 * @param columns where the columns come from
 * @param predicate condition on rows, null for all rows
 * @param conjuncts the predicate's conjuncts, null without a predicate
 * @param pruning evaluates the predicate on metadata, null without a predicate
 * @param number index of the slice in the scan, which is the sequence number of its batches
 */
record FileScan(
    ParquetScanSpec spec,
    Schema schema,
    FileMetadata metadata,
    FileColumns columns,
    FilePredicate predicate,
    FilterConjuncts conjuncts,
    FilePruning pruning,
    long number) {
  /**
   * Applies a scan to a file.
   *
   * @param spec the scan
   * @param schema the scan's columns
   * @param metadata the footer
   * @param columns where the columns come from
   * @param number index of the slice in the scan
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
        new FilterConjuncts(inFile, schema),
        new FilePruning(metadata, predicate, columns, spec.options().pushdown()),
        number);
  }

  /**
   * Returns the rows of a row group to decode, after pruning by bloom filters and page indexes.
   *
   * @param reader the file
   * @param group the row group
   * @param filters whether the predicate has to be evaluated on the row group; false when the
   *     statistics prove that it is true for all rows, and then nothing is pruned
   * @param indexes the page indexes of the row group
   * @param allocator memory for metadata while it is used
   * @param statistics counts skipped rows
   */
  RowWindows windows(
      ByteRangeReader reader,
      RowGroup group,
      boolean filters,
      RowGroupIndexes indexes,
      BufferAllocator allocator,
      ScanStatistics statistics) {
    if (predicate == null || !filters) {
      return RowWindows.all(group.rowCount());
    }
    long begin = System.nanoTime();
    PruningOutcome outcome = pruning.byFilters(group, reader, allocator);
    RowRanges ranges =
        outcome == PruningOutcome.NONE ? RowRanges.NONE : pruning.rows(group, indexes);
    RowWindows windows = RowWindows.of(ranges);
    statistics.rowGroupsPruned.add(ranges.isEmpty() ? 1 : 0);
    statistics.rowsPruned.add(group.rowCount() - windows.rowCount());
    statistics.footerNanos.add(System.nanoTime() - begin);
    return windows;
  }

  /**
   * Creates the decoder of a column.
   *
   * @param index index of the scan's column
   * @param leaves the row group
   * @return a decoder owned by the caller, null for a constant
   */
  ColumnDecoder decoder(int index, RowGroupLeaves leaves) {
    ScanWorker worker = leaves.worker();
    FileColumns.Source source = columns.sources().get(index);
    if (source instanceof FileColumns.RowIndex) {
      return new RowIndexDecoder(
          schema.field(index).type(), leaves.group().firstRow(), worker.decode().allocator());
    }
    if (!(source instanceof FileColumns.Stored stored)) {
      return null;
    }
    boolean hasLocalTimes = columns.hasLocalTimes(stored.column());
    ColumnDecoder decoder =
        stored.column() instanceof ResolvedColumn.Leaf leaf && isFlat(leaf.leaf())
            ? flat(leaf, leaves, !hasLocalTimes)
            : new NestedColumnDecoder(stored.column(), leaves, worker.decode());
    return hasLocalTimes
        ? new LocalTimeDecoder(decoder, stored.column(), columns.int96Zone())
        : decoder;
  }

  static boolean isFlat(SchemaNode leaf) {
    return leaf.maxRepetitionLevel() == 0 && leaf.maxDefinitionLevel() <= 1;
  }

  /**
   * Creates the decoder of a flat column.
   *
   * @param mayBeCoded whether the column may stay dictionary-encoded, and be decoded on a device:
   *     not when its values are changed afterwards, on the host
   */
  private ColumnDecoder flat(ResolvedColumn.Leaf leaf, RowGroupLeaves leaves, boolean mayBeCoded) {
    RowGroup group = leaves.group();
    FlatColumn column = leaves.flatColumn(leaf, spec.options(), mayBeCoded);
    ColumnChunk chunk = group.chunk(leaf.leaf().leafIndex());
    if (chunk.valueCount() != group.rowCount()) {
      throw column
          .site()
          .corrupt(
              chunk.startOffset(),
              "chunk of " + chunk.valueCount() + " values for " + group.rowCount() + " rows");
    }
    DeviceScan device = mayBeCoded ? leaves.worker().device() : null;
    return new FlatColumnDecoder(
        column,
        leaves.pages(leaf.leaf()),
        leaves.worker().decode(),
        leaves.sharedDictionaries(),
        device == null ? null : device.columns());
  }
}
