package io.ariadne.bridge.row;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Builds batches from Catalyst rows of any class.
 *
 * <p>Copies its input, so producers may reuse rows. After {@link #build} it is empty and can be
 * used again. Not thread-safe.
 */
public final class RowBatchBuilder implements AutoCloseable {
  private final Schema schema;
  private final List<ColumnBuilder> builders = new ArrayList<>();
  private final ValueWriter[] writers;
  private final ByteCounter bytes = new ByteCounter();
  private int rowCount;

  /**
   * Creates a builder.
   *
   * @param schema the columns, as {@code SparkTypes} maps them
   * @param allocator where buffers come from
   */
  public RowBatchBuilder(Schema schema, BufferAllocator allocator) {
    this.schema = schema;
    this.writers = new ValueWriter[schema.columnCount()];
    for (Field field : schema.fields()) {
      ColumnBuilder builder = ColumnBuilder.create(field.type(), allocator);
      writers[builders.size()] = ValueWriters.create(builder, bytes);
      builders.add(builder);
    }
  }

  /** Appends one row. It must have at least as many columns as the schema. */
  public void append(InternalRow row) {
    for (int i = 0; i < writers.length; i++) {
      writers[i].write(row, i);
    }
    rowCount++;
  }

  /** Returns the number of rows appended since the last build. */
  public int rowCount() {
    return rowCount;
  }

  /** Returns the approximate bytes of strings, binary and nested values in these rows. */
  public long variableBytes() {
    return bytes.bytes();
  }

  /** Ensures capacity for further rows. */
  public void reserve(int rows) {
    builders.forEach(builder -> builder.reserve(rows));
  }

  /**
   * Completes the batch.
   *
   * @param sequence sequence number of the batch
   * @return a batch owned by the caller
   */
  public RecordBatch build(long sequence) {
    List<ColumnVector> columns = new ArrayList<>();
    boolean done = false;
    try {
      for (ColumnBuilder builder : builders) {
        columns.add(builder.build());
      }
      done = true;
    } finally {
      if (!done) {
        columns.forEach(ColumnVector::close);
      }
    }
    RecordBatch batch = new RecordBatch(schema, rowCount, columns, sequence);
    rowCount = 0;
    bytes.reset();
    return batch;
  }

  @Override
  public void close() {
    builders.forEach(ColumnBuilder::close);
  }
}
