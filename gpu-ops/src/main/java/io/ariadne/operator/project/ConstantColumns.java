package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.Literal;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/** Makes columns that have the same string or binary value in every row. In host memory. */
final class ConstantColumns {
  private static final int VIEW_BYTES = 16;
  private static final int INLINE_BYTES = 12;
  private static final int PREFIX_BYTES = 4;

  private ConstantColumns() {}

  /**
   * Makes a column.
   *
   * @param literal a {@code byte[]} of type STRING or BINARY, or null
   * @param rowCount rows
   * @param context where memory comes from
   * @return a column owned by the caller
   */
  static ColumnVector of(Literal literal, int rowCount, OperatorContext context) {
    List<MemoryBuffer> buffers = new ArrayList<>();
    try {
      long dataBytes = (long) rowCount * VIEW_BYTES;
      MemoryBuffer data = context.allocator().allocateZeroed(dataBytes);
      buffers.add(data);
      MemoryBuffer validity = null;
      List<SharedBuffer> heaps = List.of();
      if (literal.value() == null) {
        long bytes = PhysicalType.BOOL.dataLengthInBytes(rowCount);
        validity = context.allocator().allocateZeroed(bytes);
        buffers.add(validity);
      } else {
        byte[] value = (byte[]) literal.value();
        fill(data, value, rowCount);
        heaps = heaps(value, context);
      }
      return new ColumnVector(
          literal.type(),
          PhysicalType.VIEW16,
          rowCount,
          data,
          validity,
          validity == null ? 0 : rowCount,
          heaps,
          List.of());
    } catch (RuntimeException | Error e) {
      buffers.forEach(MemoryBuffer::close);
      throw e;
    }
  }

  private static void fill(MemoryBuffer data, byte[] value, int rowCount) {
    byte[] view = new byte[VIEW_BYTES];
    int inline = value.length <= INLINE_BYTES ? value.length : PREFIX_BYTES;
    System.arraycopy(value, 0, view, Integer.BYTES, inline);
    for (int i = 0; i < rowCount; i++) {
      long offset = (long) i * VIEW_BYTES;
      data.putBytes(offset, view, 0, VIEW_BYTES);
      data.putInt(offset, value.length);
    }
  }

  private static List<SharedBuffer> heaps(byte[] value, OperatorContext context) {
    if (value.length <= INLINE_BYTES) {
      return List.of();
    }
    MemoryBuffer heap = context.allocator().allocate(value.length);
    Memory.copy(value, 0, heap.address(), value.length);
    return List.of(new SharedBuffer(heap));
  }
}
