package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.Schema;
import java.util.List;

/** Makes columns of nulls, in host memory. */
final class NullColumns {
  private NullColumns() {}

  /**
   * Makes a batch without rows.
   *
   * @param allocator host memory
   * @return a batch owned by the caller
   */
  static RecordBatch emptyBatch(Schema schema, BufferAllocator allocator) {
    return RecordBatch.of(schema, 0, 0, i -> of(schema.field(i).type(), 0, allocator));
  }

  /**
   * Makes a column of a type that is not nested.
   *
   * @param type the values' type
   * @param rowCount rows
   * @param allocator host memory
   * @return a column owned by the caller
   */
  static ColumnVector of(DataType type, int rowCount, BufferAllocator allocator) {
    PhysicalType layout = type.defaultPhysicalType();
    MemoryBuffer validity = allocator.allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(rowCount));
    try {
      MemoryBuffer data =
          layout == PhysicalType.NONE
              ? null
              : allocator.allocateZeroed(layout.dataLengthInBytes(rowCount));
      return new ColumnVector(
          type, layout, rowCount, data, validity, rowCount, List.of(), List.of());
    } catch (RuntimeException | Error e) {
      validity.close();
      throw e;
    }
  }
}
