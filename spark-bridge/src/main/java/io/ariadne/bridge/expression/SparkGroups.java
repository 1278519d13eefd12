package io.ariadne.bridge.expression;

import io.ariadne.bridge.row.ValueWriter;
import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;

/** The buffers of the groups of a {@link SparkAggregationFunction}. */
final class SparkGroups implements AggregationFunction.Groups {
  private static final int ROWS_BETWEEN_KILL_CHECKS = 1024;

  /** Approximate size of a group's row. */
  private static final int BYTES_PER_ROW = 200;

  /** Approximate overhead of a value in an object: a box, a slot in a collection. */
  private static final int BYTES_PER_VALUE = 48;

  /** Approximate ratio of the size of objects to their serialised form. */
  private static final int OBJECTS_PER_SERIALIZED = 3;

  private final SparkAggregateCode code;
  private final AggregationFunction function;
  private final BufferAllocator allocator;
  private final RowReader inputs;
  private final BufferRows buffers;
  private final HeapEstimate heap;
  private final int objects;

  /** Created when groups are measured or merged. */
  private UnsafeProjection bufferSizes;

  private RowReader otherBuffers;

  SparkGroups(SparkAggregateCode code, AggregationFunction function, BufferAllocator allocator) {
    this.code = code;
    this.function = function;
    this.allocator = allocator;
    this.inputs = new RowReader(code.inputTypes());
    this.buffers = BufferRows.create(code, allocator);
    this.objects = code.objectCount();
    this.heap = buffers.isFlat() ? null : new HeapEstimate(BYTES_PER_ROW + code.emptyBytes());
  }

  @Override
  public void update(RecordBatch rows, MemoryBuffer groups, int groupCount) {
    ensure(groupCount);
    inputs.read(rows);
    int copies = Math.max(1, objects);
    for (int i = 0; i < rows.rowCount(); i++) {
      checkForKill(i);
      InternalRow row = inputs.row(i);
      int group = groups == null ? 0 : groups.getInt((long) i * Integer.BYTES);
      code.update(buffers.row(group), row);
      if (heap != null) {
        heap.add(group, copies * (BYTES_PER_VALUE + inputs.bytes()));
      }
    }
  }

  private void ensure(int groupCount) {
    buffers.ensure(groupCount);
    if (heap != null) {
      heap.ensure(groupCount);
    }
  }

  private static void checkForKill(int row) {
    if (row % ROWS_BETWEEN_KILL_CHECKS == 0) {
      TaskContext context = TaskContext.get();
      if (context != null) {
        context.killTaskIfInterrupted();
      }
    }
  }

  @Override
  public List<ColumnVector> read(int first, int count) {
    buffers.ensure(first + count);
    return columns(function.outputSchema(), count, row -> code.output(buffers.row(first + row)));
  }

  @Override
  public long heapBytes(long bound) {
    return heap == null ? 0 : heap.bytes(bound, this::sizeOf);
  }

  @Override
  public long memoryBytes() {
    return buffers.memoryBytes();
  }

  private long sizeOf(int group) {
    if (bufferSizes == null) {
      bufferSizes = UnsafeProjection.create(code.bufferTypes());
    }
    InternalRow copy = buffers.row(group).copy(); // a shallow copy: objects are not changed
    code.serialize(copy);
    return (long) OBJECTS_PER_SERIALIZED * bufferSizes.apply(copy).getSizeInBytes();
  }

  @Override
  public List<ColumnVector> takeBuffers(int[] groups) {
    return columns(
        function.bufferSchema(),
        groups.length,
        row -> {
          InternalRow buffer = buffers.row(groups[row]);
          if (objects == 0) {
            return buffer;
          }
          InternalRow copy = buffer.copy(); // a shallow copy: objects are not changed
          code.serialize(copy);
          return copy;
        });
  }

  /** Makes columns from rows. */
  private List<ColumnVector> columns(Schema schema, int count, IntFunction<InternalRow> rows) {
    List<ColumnBuilder> builders = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      List<ValueWriter> writers = new ArrayList<>();
      for (Field field : schema.fields()) {
        ColumnBuilder builder = ColumnBuilder.create(field.type(), allocator);
        builders.add(builder);
        builder.reserve(count);
        writers.add(ValueWriter.create(builder));
      }
      for (int i = 0; i < count; i++) {
        checkForKill(i);
        InternalRow row = rows.apply(i);
        for (int column = 0; column < writers.size(); column++) {
          writers.get(column).write(row, column);
        }
      }
      builders.forEach(builder -> columns.add(builder.build()));
      return columns;
    } catch (Throwable e) { // functions throw checked exceptions that no signature declares
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    } finally {
      builders.forEach(ColumnBuilder::close);
    }
  }

  @Override
  public void merge(
      RecordBatch others, int firstRow, MemoryBuffer groups, int rowCount, int groupCount) {
    if (otherBuffers == null) {
      otherBuffers = new RowReader(code.bufferTypes());
    }
    ensure(groupCount);
    otherBuffers.read(others);
    for (int i = 0; i < rowCount; i++) {
      checkForKill(i);
      InternalRow row = otherBuffers.row(firstRow + i);
      int group = groups.getInt((long) i * Integer.BYTES);
      code.merge(buffers.row(group), row);
      if (heap != null) {
        heap.add(group, BYTES_PER_VALUE + OBJECTS_PER_SERIALIZED * otherBuffers.bytes());
      }
    }
  }

  @Override
  public void reset() {
    buffers.reset();
    if (heap != null) {
      heap.reset();
    }
  }

  @Override
  public void close() {
    buffers.close();
  }
}
