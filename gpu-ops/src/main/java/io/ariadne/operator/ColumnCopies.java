package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.ArrayList;
import java.util.List;

/** Copies of columns, for outputs that name one input twice. */
final class ColumnCopies {
  private ColumnCopies() {}

  /**
   * Copies a column; string heaps are shared.
   *
   * @param column the original, still owned by its owner
   * @param context where the copy's memory comes from
   */
  static ColumnVector copy(ColumnVector column, OperatorContext context) {
    List<MemoryBuffer> buffers = new ArrayList<>();
    List<ColumnVector> children = new ArrayList<>();
    try {
      MemoryBuffer data = copy(column.data(), context, buffers);
      MemoryBuffer validity = copy(column.validity(), context, buffers);
      for (ColumnVector child : column.children()) {
        children.add(copy(child, context));
      }
      column.heaps().forEach(SharedBuffer::retain);
      return new ColumnVector(
          column.type(),
          column.physicalType(),
          column.rowCount(),
          data,
          validity,
          column.nullCount(),
          column.heaps(),
          children);
    } catch (RuntimeException | Error e) {
      buffers.forEach(MemoryBuffer::close);
      children.forEach(ColumnVector::close);
      throw e;
    }
  }

  private static MemoryBuffer copy(
      MemoryBuffer source, OperatorContext context, List<MemoryBuffer> buffers) {
    if (source == null) {
      return null;
    }
    MemoryBuffer target = context.allocator().allocate(source.lengthInBytes());
    buffers.add(target);
    long length = Math.min(source.capacityInBytes(), target.capacityInBytes());
    Memory.copy(source.address(), target.address(), length);
    return target;
  }
}
