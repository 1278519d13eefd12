package io.ariadne.bridge.imports;

import io.ariadne.bridge.task.InputFiles;
import io.ariadne.bridge.vector.SparkBatches;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Converts Spark's columnar batches, from any source, to a stream of larger batches.
 *
 * <p>Batches of Ariadne's own columns are unwrapped without a copy: their columns are taken out of
 * the Spark batch. All other batches are copied, column by column, and accumulated until the target
 * number of rows is reached or strings reach 16 MiB. The importer finishes with a Spark batch
 * before it asks for the next one, because readers reuse their vectors. Spark batches stay owned by
 * their producer. Called by the task thread, because the iterator runs Spark's code. After a
 * failure it can only be closed, since the accumulated rows are incomplete.
 */
public final class ColumnarImporter implements BatchSource {
  private static final long TARGET_VARIABLE_BYTES = 16L << 20;

  private final Iterator<ColumnarBatch> batches;
  private final Schema schema;
  private final int targetRows;
  private final InputFiles files;
  private final List<ColumnImport> columns = new ArrayList<>();
  private int gatheredRows;
  private int roomForRows;
  private ColumnarBatch current;
  private int consumedRows;
  private long sequence;
  private boolean closed;

  /**
   * Creates a source.
   *
   * @param batches the input; neither it nor its batches are closed
   * @param schema its columns, as {@code SparkTypes} maps them
   * @param allocator where buffers come from
   * @param targetRows rows of a full batch, at least 1
   */
  public ColumnarImporter(
      Iterator<ColumnarBatch> batches, Schema schema, BufferAllocator allocator, int targetRows) {
    this(batches, schema, allocator, targetRows, new InputFiles());
  }

  /**
   * Creates a source that records the input file of each batch, if the fragment needs it. No batch
   * then spans two files.
   *
   * @param files where files are recorded; other parameters as above
   */
  public ColumnarImporter(
      Iterator<ColumnarBatch> batches,
      Schema schema,
      BufferAllocator allocator,
      int targetRows,
      InputFiles files) {
    if (targetRows < 1) {
      throw new IllegalArgumentException("target of " + targetRows + " rows is below 1");
    }
    this.batches = batches;
    this.schema = schema;
    this.targetRows = targetRows;
    this.files = files;
    for (Field field : schema.fields()) {
      columns.add(ColumnImport.create(field.type(), allocator));
    }
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public RecordBatch next() {
    while (!closed && nextInput()) {
      if (gatheredRows == 0) {
        files.begin(sequence);
      } else if (consumedRows == 0 && files.readsAnotherFile(sequence)) {
        return build();
      }
      if (consumedRows == 0 && schema.columnCount() > 0 && SparkBatches.canTake(current)) {
        if (gatheredRows > 0) {
          return build();
        }
        RecordBatch taken = SparkBatches.fromSpark(current, schema, sequence++);
        current = null;
        return taken;
      }
      gather();
      if (gatheredRows >= targetRows || variableBytes() >= TARGET_VARIABLE_BYTES) {
        return build();
      }
    }
    return gatheredRows > 0 ? build() : null;
  }

  /** Ensures that {@link #current} has rows left; returns false at the end. */
  private boolean nextInput() {
    while (current == null || consumedRows >= current.numRows()) {
      current = null;
      if (!batches.hasNext()) {
        return false;
      }
      current = batches.next();
      consumedRows = 0;
      if (current.numCols() != schema.columnCount()) {
        throw new IllegalStateException(
            current.numCols() + " columns where " + schema.columnCount() + " were planned");
      }
    }
    return true;
  }

  private void gather() {
    int count = Math.min(current.numRows() - consumedRows, targetRows - gatheredRows);
    ensureRoom(gatheredRows + count);
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).append(current.column(i), consumedRows, count);
    }
    consumedRows += count;
    gatheredRows += count;
  }

  /**
   * Ensures capacity. Reserves only the first input's rows at first, so that small inputs stay
   * small, and a full batch later.
   */
  private void ensureRoom(int rows) {
    if (rows > roomForRows) {
      int room = gatheredRows == 0 ? rows : targetRows;
      columns.forEach(column -> column.ensure(room));
      roomForRows = room;
    }
  }

  private long variableBytes() {
    long bytes = 0;
    for (ColumnImport column : columns) {
      bytes += column.variableBytes();
    }
    return bytes;
  }

  private RecordBatch build() {
    List<ColumnVector> built = new ArrayList<>();
    boolean done = false;
    try {
      for (ColumnImport column : columns) {
        built.add(column.build());
      }
      done = true;
    } finally {
      if (!done) {
        built.forEach(ColumnVector::close);
      }
    }
    RecordBatch batch = new RecordBatch(schema, gatheredRows, built, sequence++);
    gatheredRows = 0;
    roomForRows = 0;
    return batch;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      current = null;
      columns.forEach(ColumnImport::close);
    }
  }
}
