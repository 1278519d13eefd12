package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.concat.ColumnConcatenator;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.concat.ConcatenationPolicy;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.GatherIndex;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Concatenates batches of a build side column by column, in host memory. A batch's column is freed
 * as soon as it is copied, so only one column is in memory twice. When memory is refused, {@link
 * #restore} turns the columns back into batches. Several threads may call {@link #concatenate} at
 * once, each for another column; one thread at a time calls the other methods.
 */
final class BuildColumns implements AutoCloseable {
  /**
   * The most rows of a table: a hash table partition adds one number to those of the rows, and the
   * highest number means null.
   */
  static final long MAX_ROWS = GatherIndex.GATHER_NULL_INDEX - HashPartitioner.PARTITIONS - 2L;

  private final Schema schema;
  private final List<RecordBatch> batches;
  private final int rowCount;
  private final OperatorContext context;

  /** How many batches, and their rows, {@link #restore} has made. */
  private int restoredBatches;

  private int restoredRows;

  /** Concatenated columns; null for the columns that are still in the batches. */
  private final ColumnVector[] columns;

  /** All rows; owns the columns once {@link #toBatch} has been called, null before. */
  private RecordBatch whole;

  /**
   * Prepares to concatenate.
   *
   * @param batches the rows, in host memory; ownership passes to this object, unless this throws
   * @throws EngineException OUT_OF_MEMORY when the batches have too many rows for one table
   */
  BuildColumns(Schema schema, List<RecordBatch> batches, OperatorContext context) {
    this.schema = schema;
    this.rowCount = checkedRowCount(batches.stream().mapToLong(RecordBatch::rowCount).sum());
    this.context = context;
    this.columns = new ColumnVector[schema.columnCount()];
    this.batches = List.copyOf(batches);
  }

  /**
   * Returns the number of rows of a table.
   *
   * @throws EngineException OUT_OF_MEMORY when one table cannot have so many rows
   */
  static int checkedRowCount(long rowCount) {
    if (rowCount > MAX_ROWS) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY,
          "the build side of a join has "
              + rowCount
              + " rows; a hash table has at most "
              + MAX_ROWS);
    }
    return (int) rowCount;
  }

  /**
   * Concatenates one column and frees it in the batches.
   *
   * @throws EngineException OUT_OF_MEMORY; the rows can then be {@link #restore restored}
   */
  void concatenate(int number) {
    DataType type = schema.field(number).type();
    ColumnVector column = concatenated(type, batches, number, context);
    columns[number] = column;
    batches.forEach(batch -> batch.takeColumn(number).close());
    if (HeapCompaction.pays(column)) {
      columns[number] = new HeapCompaction(context.allocator()).compact(column);
      column.close();
    }
  }

  /** Copies a column of batches, which stay the caller's, into one. */
  static ColumnVector concatenated(
      DataType type, List<RecordBatch> batches, int number, OperatorContext context) {
    if (batches.isEmpty()) {
      return NullColumns.of(type, 0, context.allocator());
    }
    List<ColumnSlice> slices = new ArrayList<>();
    for (RecordBatch batch : batches) {
      slices.add(new ColumnSlice(batch.column(number), 0, batch.rowCount()));
    }
    return concatenated(type, slices, context);
  }

  private static ColumnVector concatenated(
      DataType type, List<ColumnSlice> slices, OperatorContext context) {
    try (GatherKernel gather = new GatherKernel(context.backend().host(), context.allocator())) {
      return new ColumnConcatenator(context.allocator(), ConcatenationPolicy.SHARE, gather)
          .concatDecoded(type, slices);
    }
  }

  /**
   * Concatenates all columns; a single batch stays as it is.
   *
   * @return all rows, owned by this; the caller may take columns out once nothing can fail
   */
  RecordBatch toBatch() {
    if (batches.size() == 1) {
      List<ColumnVector> own = new ArrayList<>();
      for (int c = 0; c < columns.length; c++) {
        own.add(batches.get(0).takeColumn(c));
      }
      whole = new RecordBatch(schema, rowCount, own, 0);
      return whole;
    }
    for (int c = 0; c < columns.length; c++) {
      concatenate(c);
    }
    whole = new RecordBatch(schema, rowCount, Arrays.asList(columns), 0);
    Arrays.fill(columns, null);
    return whole;
  }

  /** Returns the concatenated columns, all of them, owned by the caller. */
  ColumnVector[] takeColumns() {
    ColumnVector[] taken = columns.clone();
    Arrays.fill(columns, null);
    return taken;
  }

  /**
   * Turns the rows back into batches, so that they may leave memory, and frees all else. Each batch
   * needs memory only for its own rows of the columns that were concatenated. When this is refused
   * memory, the target has the batches before, and the next call continues.
   *
   * @param target takes the batches in their first order, owned by it from then on
   */
  void restore(Consumer<RecordBatch> target) {
    while (restoredBatches < batches.size()) {
      RecordBatch batch = restored(batches.get(restoredBatches), restoredRows);
      restoredBatches++;
      restoredRows += batch.rowCount();
      target.accept(batch);
    }
    close();
  }

  private RecordBatch restored(RecordBatch batch, int first) {
    if (whole != null && batches.size() == 1) {
      RecordBatch only = whole;
      whole = null;
      return only;
    }
    ColumnVector[] copies = new ColumnVector[columns.length];
    try {
      for (int c = 0; c < columns.length; c++) {
        ColumnVector column = whole == null ? columns[c] : whole.column(c);
        if (column != null) {
          var rows = List.of(new ColumnSlice(column, first, batch.rowCount()));
          copies[c] = compacted(concatenated(column.type(), rows, context));
        }
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      Arrays.stream(copies).forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    return RecordBatch.of(
        schema,
        batch.rowCount(),
        batch.sequence(),
        c -> copies[c] == null ? batch.takeColumn(c) : copies[c]);
  }

  /**
   * Copies the characters of a column out of heaps that other batches use as well, so that moving
   * the column frees them. When memory is refused for that, the heaps stay shared.
   */
  private ColumnVector compacted(ColumnVector column) {
    if (!HeapCompaction.pays(column)) {
      return column;
    }
    ColumnVector compact;
    try {
      compact = new HeapCompaction(context.allocator()).compact(column);
    } catch (EngineException e) {
      if (EngineException.isOutOfMemory(e)) {
        return column;
      }
      column.close();
      throw e;
    }
    column.close();
    return compact;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    for (int c = 0; c < columns.length; c++) {
      closer.close(columns[c]);
      columns[c] = null;
    }
    closer.close(whole);
    whole = null;
    closer.rethrow();
  }
}
