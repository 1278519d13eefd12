package io.ariadne.columnar;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.ObjLongConsumer;

/**
 * Equally long columns: the unit of data that operators process.
 *
 * <p>A batch owns its columns. Its owner closes it once; passing a batch on passes ownership. Fewer
 * than 2^31 rows. The sequence number is the batch's place in its stream.
 */
public final class RecordBatch implements AutoCloseable {
  private final Schema schema;
  private final int rowCount;
  private final List<ColumnVector> columns;
  private final long sequence;

  /**
   * Takes ownership of the columns.
   *
   * @param schema names and types, one per column
   * @param rowCount rows of every column
   * @param columns the columns
   * @param sequence place in the stream, from 0
   */
  public RecordBatch(Schema schema, int rowCount, List<ColumnVector> columns, long sequence) {
    if (schema.columnCount() != columns.size()) {
      throw new IllegalArgumentException(
          "schema has " + schema.columnCount() + " columns, batch " + columns.size());
    }
    for (ColumnVector column : columns) {
      if (column.rowCount() != rowCount) {
        throw new IllegalArgumentException(
            "column of " + column.rowCount() + " rows in a batch of " + rowCount);
      }
    }
    this.schema = schema;
    this.rowCount = rowCount;
    this.columns = new ArrayList<>(columns);
    this.sequence = sequence;
  }

  /**
   * Creates a batch column by column. When a column cannot be created, those before it are closed.
   *
   * @param schema names and types, one per column
   * @param rowCount rows of every column
   * @param sequence place in the stream, from 0
   * @param column creates the column at an index, owned by the batch from then on
   * @return a batch owned by the caller
   */
  public static RecordBatch of(
      Schema schema, int rowCount, long sequence, IntFunction<ColumnVector> column) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (int i = 0; i < schema.columnCount(); i++) {
        columns.add(column.apply(i));
      }
      return new RecordBatch(schema, rowCount, columns, sequence);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Returns names and types. */
  public Schema schema() {
    return schema;
  }

  /** Returns the number of rows. */
  public int rowCount() {
    return rowCount;
  }

  /** Returns the number of columns. */
  public int columnCount() {
    return columns.size();
  }

  /** Returns the place in the stream. */
  public long sequence() {
    return sequence;
  }

  /** Returns a column, still owned by this batch; fails when it was taken. */
  public ColumnVector column(int index) {
    ColumnVector column = columns.get(index);
    if (column == null) {
      throw new IllegalStateException("column " + index + " was taken from this batch");
    }
    return column;
  }

  /** Passes ownership of a column to the caller; the batch will not close it. */
  public ColumnVector takeColumn(int index) {
    ColumnVector column = column(index);
    columns.set(index, null);
    return column;
  }

  /**
   * Returns bytes held by the columns still owned, padding included; heaps and dictionaries count
   * fully for each owner.
   */
  public long sizeInBytes() {
    long bytes = 0;
    for (ColumnVector column : columns) {
      bytes += column == null ? 0 : column.sizeInBytes();
    }
    return bytes;
  }

  /** Returns {@link ColumnVector#ownSizeInBytes} of all columns still owned. */
  public long ownSizeInBytes() {
    long bytes = 0;
    for (ColumnVector column : columns) {
      bytes += column == null ? 0 : column.ownSizeInBytes();
    }
    return bytes;
  }

  /**
   * Visits {@link ColumnVector#visitShared what other columns may reference} of columns still
   * owned.
   */
  public void visitShared(ObjLongConsumer<Object> visitor) {
    for (ColumnVector column : columns) {
      if (column != null) {
        column.visitShared(visitor);
      }
    }
  }

  /**
   * Notes that the batch leaves the work that created it: its own buffers count for that work no
   * longer. Heaps and dictionaries, which other batches may reference, count until they are freed.
   */
  public void leaveWork() {
    for (ColumnVector column : columns) {
      if (column != null) {
        column.leaveWork();
      }
    }
  }

  /**
   * Replaces columns. When a column cannot be made, those made before are closed and this batch is
   * unchanged.
   *
   * @param replacement makes the column that replaces the one at an index, with as many rows; null
   *     keeps that column
   * @return this batch if all columns stay; else a batch, owned by the caller, with the columns
   *     that stay, and this batch is closed
   */
  public RecordBatch withReplaced(IntFunction<ColumnVector> replacement) {
    ColumnVector[] made = new ColumnVector[columnCount()];
    try {
      for (int i = 0; i < made.length; i++) {
        made[i] = replacement.apply(i);
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      Arrays.stream(made).forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    if (Arrays.stream(made).allMatch(Objects::isNull)) {
      return this;
    }
    try (RecordBatch replaced = this) {
      return of(
          schema, rowCount, sequence, i -> made[i] == null ? replaced.takeColumn(i) : made[i]);
    }
  }

  /** Closes the columns that were not taken, all of them even if one fails. */
  @Override
  public void close() {
    Closer closer = new Closer();
    for (int i = 0; i < columns.size(); i++) {
      closer.close(columns.set(i, null));
    }
    closer.rethrow();
  }
}
