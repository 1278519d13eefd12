package io.ariadne.columnar.builder;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds batches row by row in host memory: append one value to every {@link #column}.
 *
 * <p>After {@link #build} the builder is empty and may be used again. Not thread-safe.
 */
public final class BatchBuilder implements AutoCloseable {
  private final Schema schema;
  private final List<ColumnBuilder> columns;

  /**
   * Creates a builder with the default layout of every type.
   *
   * @param schema the columns
   * @param allocator where buffers come from; HOST or PINNED
   */
  public BatchBuilder(Schema schema, BufferAllocator allocator) {
    this.schema = schema;
    this.columns = new ArrayList<>();
    for (Field field : schema.fields()) {
      columns.add(ColumnBuilder.create(field.type(), allocator));
    }
  }

  /** Returns the columns of the batches. */
  public Schema schema() {
    return schema;
  }

  /** Returns the builder of a column; owned by this one. */
  public ColumnBuilder column(int index) {
    return columns.get(index);
  }

  /** Returns rows appended to the first column since the last build. */
  public int rowCount() {
    return columns.isEmpty() ? 0 : columns.get(0).rowCount();
  }

  /** Reserves memory for further rows in every column. */
  public void reserve(int rows) {
    columns.forEach(column -> column.reserve(rows));
  }

  /**
   * Appends one row given as objects, as {@link ColumnBuilder#appendValue} takes them. When that
   * fails, the rows stay unchanged.
   */
  public void appendRow(Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(
          values.length + " values for a batch of " + columns.size() + " columns");
    }
    int appended = 0;
    try {
      for (Object value : values) {
        columns.get(appended).appendValue(value);
        appended++;
      }
    } catch (RuntimeException | Error e) {
      columns.subList(0, appended).forEach(column -> column.truncate(column.rowCount() - 1));
      throw e;
    }
  }

  /**
   * Ends the batch.
   *
   * @param sequence place in the stream
   * @return a batch owned by the caller
   * @throws IllegalStateException when the columns are not equally long
   */
  public RecordBatch build(long sequence) {
    int rows = rowCount();
    for (ColumnBuilder column : columns) {
      if (column.rowCount() != rows) {
        throw new IllegalStateException(
            "a column of " + column.rowCount() + " rows beside one of " + rows);
      }
    }
    return new RecordBatch(schema, rows, ColumnBuilder.buildAll(columns), sequence);
  }

  /** Frees the rows that were not built. */
  @Override
  public void close() {
    columns.forEach(ColumnBuilder::close);
  }
}
