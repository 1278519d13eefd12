package io.ariadne.bridge.row;

import io.ariadne.bridge.task.InputFiles;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Schema;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Converts Spark's rows to a stream of batches.
 *
 * <p>Copies rows of any class, so the iterator may reuse its row. A batch ends at the target number
 * of rows, or when its strings and nested values reach 16 MiB. Called by the task thread, because
 * the iterator runs Spark's code. After a failure it can only be closed.
 */
public final class RowImporter implements BatchSource {
  private static final long TARGET_VARIABLE_BYTES = 16L << 20;
  private static final int FIRST_RESERVATION_ROWS = 1024;

  private final Iterator<InternalRow> rows;
  private final RowBatchBuilder builder;
  private final Schema schema;
  private final int targetRows;
  private final InputFiles files;
  private InternalRow pending;
  private long sequence;
  private boolean closed;

  /**
   * Creates a source.
   *
   * @param rows the input; not closed
   * @param schema its columns, as {@code SparkTypes} maps them
   * @param allocator where buffers come from
   * @param targetRows rows of a full batch, at least 1
   */
  public RowImporter(
      Iterator<InternalRow> rows, Schema schema, BufferAllocator allocator, int targetRows) {
    this(rows, schema, allocator, targetRows, new InputFiles());
  }

  /**
   * Creates a source that records the input file of each batch, if the fragment needs it. No batch
   * then spans two files.
   *
   * @param files where files are recorded; other parameters as above
   */
  public RowImporter(
      Iterator<InternalRow> rows,
      Schema schema,
      BufferAllocator allocator,
      int targetRows,
      InputFiles files) {
    if (targetRows < 1) {
      throw new IllegalArgumentException("target of " + targetRows + " rows is below 1");
    }
    this.rows = rows;
    this.schema = schema;
    this.targetRows = targetRows;
    this.files = files;
    this.builder = new RowBatchBuilder(schema, allocator);
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public RecordBatch next() {
    if (closed || !nextRow()) {
      return null;
    }
    files.begin(sequence);
    builder.reserve(Math.min(targetRows, sequence == 0 ? FIRST_RESERVATION_ROWS : targetRows));
    do {
      builder.append(pending);
      pending = null;
    } while (builder.rowCount() < targetRows
        && builder.variableBytes() < TARGET_VARIABLE_BYTES
        && nextRow()
        && !files.readsAnotherFile(sequence));
    return builder.build(sequence++);
  }

  /**
   * Ensures that a row is pending. Its producer does not change it until the next row is requested.
   */
  private boolean nextRow() {
    if (pending == null && rows.hasNext()) {
      pending = rows.next();
    }
    return pending != null;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      builder.close();
    }
  }
}
