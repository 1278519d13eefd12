package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.operator.OperatorContext;

/** Copies columns, for projections that return the same input twice. */
final class ColumnCopies {
  private ColumnCopies() {}

  /**
   * Copies a column within its memory tier. The copy shares string heaps and dictionaries.
   *
   * @param column stays owned by its owner
   * @param context where the copy's memory comes from
   */
  static ColumnVector copy(ColumnVector column, OperatorContext context) {
    return ColumnTransfer.copy(
        column, source -> copy(source, context), SharedBuffer::retain, Dictionary::retain);
  }

  private static MemoryBuffer copy(MemoryBuffer source, OperatorContext context) {
    long length = source.lengthInBytes();
    if (source.tier() == MemoryTier.DEVICE) {
      MemoryBuffer target = context.kernelAllocator().allocate(length);
      return ColumnTransfer.filled(
          target,
          () -> context.backend().copy(source, target, ColumnTransfer.commonBytes(source, target)));
    }
    MemoryBuffer target = context.allocator().allocate(length);
    Memory.copy(source.address(), target.address(), ColumnTransfer.commonBytes(source, target));
    return target;
  }
}
