package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;

/**
 * Returns the number of entries of arrays or maps: Spark's {@code size}.
 *
 * @param nullIsMinusOne whether the size of null is -1 instead of null
 */
public record ArraySize(boolean nullIsMinusOne) implements NestedFunction {
  private static final long serialVersionUID = 1L;

  @Override
  public DataType resultType() {
    return PrimitiveType.INT32;
  }

  @Override
  public String description() {
    return "size";
  }

  @Override
  public boolean dependsOnItsRowOnly() {
    return true;
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    ColumnVector lists = arguments.column(0);
    int rowCount = lists.rowCount();
    MemoryBuffer sizes = allocator.allocate(PhysicalType.I32.dataLengthInBytes(rowCount));
    try {
      fill(lists, sizes.address());
      MemoryBuffer validity =
          nullIsMinusOne ? null : HostRows.copyOf(lists.validity(), rowCount, allocator);
      return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rowCount, sizes, validity);
    } catch (RuntimeException | Error e) {
      sizes.close();
      throw e;
    }
  }

  private void fill(ColumnVector lists, long target) {
    long offsets = lists.data().address();
    long validity = nullIsMinusOne && lists.mayHaveNulls() ? lists.validity().address() : 0;
    for (int row = 0; row < lists.rowCount(); row++) {
      long at = offsets + (long) row * Integer.BYTES;
      int size = Memory.getInt(at + Integer.BYTES) - Memory.getInt(at);
      boolean isNull = validity != 0 && !Bitmaps.isSet(validity, row);
      Memory.putInt(target + (long) row * Integer.BYTES, isNull ? -1 : size);
    }
  }
}
