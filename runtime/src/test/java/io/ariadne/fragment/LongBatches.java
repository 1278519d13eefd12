package io.ariadne.fragment;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.util.List;

/** Batches of one column of longs. */
public final class LongBatches {
  /** The one column. */
  public static final Schema SCHEMA = Schema.of(new Field("value", PrimitiveType.INT64, false));

  private LongBatches() {}

  /** Creates a batch of the values. */
  public static RecordBatch of(BufferAllocator allocator, long sequence, long... values) {
    MemoryBuffer data = allocator.allocate((long) values.length * Long.BYTES);
    for (int i = 0; i < values.length; i++) {
      data.putLong((long) i * Long.BYTES, values[i]);
    }
    ColumnVector column =
        ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, values.length, data, null);
    return new RecordBatch(SCHEMA, values.length, List.of(column), sequence);
  }

  /** Returns the values; the batch stays the caller's. */
  public static long[] values(RecordBatch batch) {
    long[] values = new long[batch.rowCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = batch.column(0).data().getLong((long) i * Long.BYTES);
    }
    return values;
  }

  /** Returns the values and closes the batch. */
  public static long[] drain(RecordBatch batch) {
    try (batch) {
      return values(batch);
    }
  }
}
