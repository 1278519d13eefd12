package io.ariadne.bridge.expression;

import io.ariadne.bridge.row.ValueWriter;
import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/** The buffers of the groups of a {@link SparkAggregationFunction}. */
final class SparkGroups implements AggregationFunction.Groups {
  private static final int ROWS_BETWEEN_KILL_CHECKS = 1024;

  private final SparkAggregateCode code;
  private final Schema outputSchema;
  private final BufferAllocator allocator;
  private final DataType[] inputTypes;
  private final UnsafeProjection toUnsafeRows;
  private final BufferRows buffers;

  SparkGroups(SparkAggregateCode code, Schema outputSchema, BufferAllocator allocator) {
    this.code = code;
    this.outputSchema = outputSchema;
    this.allocator = allocator;
    this.inputTypes = code.inputTypes();
    this.toUnsafeRows = RowView.toUnsafeRows(inputTypes);
    this.buffers = BufferRows.create(code, allocator);
  }

  @Override
  public void update(RecordBatch rows, MemoryBuffer groups, int groupCount) {
    buffers.ensure(groupCount);
    ColumnarBatchRow view = RowView.of(rows, inputTypes);
    TaskContext context = TaskContext.get();
    for (int i = 0; i < rows.rowCount(); i++) {
      if (context != null && i % ROWS_BETWEEN_KILL_CHECKS == 0) {
        context.killTaskIfInterrupted();
      }
      view.rowId = i;
      InternalRow row = toUnsafeRows == null ? view : toUnsafeRows.apply(view);
      int group = groups == null ? 0 : groups.getInt((long) i * Integer.BYTES);
      code.update(buffers.row(group), row);
    }
  }

  @Override
  public List<ColumnVector> read(int first, int count) {
    buffers.ensure(first + count);
    List<ColumnBuilder> builders = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      List<ValueWriter> writers = new ArrayList<>();
      for (Field field : outputSchema.fields()) {
        ColumnBuilder builder = ColumnBuilder.create(field.type(), allocator);
        builders.add(builder);
        builder.reserve(count);
        writers.add(ValueWriter.create(builder));
      }
      for (int group = first; group < first + count; group++) {
        InternalRow output = code.output(buffers.row(group));
        for (int i = 0; i < writers.size(); i++) {
          writers.get(i).write(output, i);
        }
      }
      builders.forEach(builder -> columns.add(builder.build()));
      return columns;
    } catch (RuntimeException | Error e) {
      columns.forEach(ColumnVector::close);
      throw e;
    } finally {
      builders.forEach(ColumnBuilder::close);
    }
  }

  @Override
  public void close() {
    buffers.close();
  }
}
