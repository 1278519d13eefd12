package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringFunction;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.column.StringProducerKernel.Input;
import io.ariadne.operator.OperatorContext;

/** Converts columns and literals of {@link StringFunction}s to operands of kernels. */
final class KernelOperands {
  private final OperatorContext context;
  private final KernelDictionaries dictionaries;

  KernelOperands(OperatorContext context, KernelDictionaries dictionaries) {
    this.context = context;
    this.dictionaries = dictionaries;
  }

  /** Returns a column in kernel memory as an operand. */
  Input input(ColumnVector column) {
    return column.dictionary() == null
        ? new Input(column, column)
        : new Input(dictionaries.entries(column.dictionary()), column);
  }

  /** Returns a column of one row in kernel memory, owned by the caller. */
  ColumnVector constant(Literal literal) {
    try (ColumnVector host =
        literal.value() instanceof Number number
            ? number(literal, number.longValue())
            : ConstantColumns.of(literal, 1, context)) {
      return context.transfer().copyToKernels(host);
    }
  }

  private ColumnVector number(Literal literal, long value) {
    PhysicalType layout = literal.type().defaultPhysicalType();
    MemoryBuffer data = context.allocator().allocateZeroed(Long.BYTES);
    data.putLong(0, value);
    return ColumnVector.flat(literal.type(), layout, 1, data, null);
  }

  /** Copies a buffer within kernel memory. */
  MemoryBuffer copyOf(MemoryBuffer source, long lengthInBytes) {
    MemoryBuffer copy = context.kernelAllocator().allocate(lengthInBytes);
    return ColumnTransfer.filled(copy, () -> context.backend().copy(source, copy, lengthInBytes));
  }
}
