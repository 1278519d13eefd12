package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * The buffers of a group table, in kernel memory. A batch can carry them, so that they are spilled
 * as batches are. Each buffer is then the data of a column; its length need not match the number of
 * rows, so no code must read it as a column.
 *
 * @param keys normalised keys
 * @param records one record per group
 * @param heap bytes of long strings of the keys
 * @param texts long strings that records picked, or null when there are none
 */
record GroupBuffers(MemoryBuffer keys, MemoryBuffer records, MemoryBuffer heap, MemoryBuffer texts)
    implements AutoCloseable {
  private static final List<Field> FIELDS =
      List.of(
          new Field("keys", PrimitiveType.INT64, false),
          new Field("records", PrimitiveType.INT64, false),
          new Field("heap", PrimitiveType.INT64, false),
          new Field("texts", PrimitiveType.INT64, false));

  /** Returns the buffers that a batch carries; the batch still owns them. */
  static GroupBuffers of(RecordBatch carrier) {
    return new GroupBuffers(
        carrier.column(0).data(),
        carrier.column(1).data(),
        carrier.column(2).data(),
        carrier.columnCount() == FIELDS.size() ? carrier.column(FIELDS.size() - 1).data() : null);
  }

  /** Returns the bytes of all long strings. */
  long stringBytes() {
    return heap.capacityInBytes() + (texts == null ? 0 : texts.capacityInBytes());
  }

  /** Returns a batch that carries the buffers and takes ownership of them. */
  RecordBatch carried(int groupCount) {
    List<ColumnVector> columns = new ArrayList<>();
    List<MemoryBuffer> buffers = new ArrayList<>(List.of(keys, records, heap));
    if (texts != null) {
      buffers.add(texts);
    }
    for (MemoryBuffer buffer : buffers) {
      columns.add(
          ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, groupCount, buffer, null));
    }
    Schema schema = new Schema(FIELDS.subList(0, columns.size()));
    return new RecordBatch(schema, groupCount, columns, 0);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(keys);
    closer.close(records);
    closer.close(heap);
    closer.close(texts);
    closer.rethrow();
  }
}
