package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringProducer;
import io.ariadne.kernel.column.StringProducerKernel;
import io.ariadne.kernel.column.StringProducerKernel.Input;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls of {@link StringProducer}s by kernels: once per entry where the only column is a dictionary
 * column of few entries. Used by one thread at a time.
 */
final class ProducedStrings implements AutoCloseable {
  private final OperatorContext context;
  private final KernelDictionaries dictionaries;
  private StringProducerKernel kernel; // null until the first call

  ProducedStrings(OperatorContext context, KernelDictionaries dictionaries) {
    this.context = context;
    this.dictionaries = dictionaries;
  }

  /**
   * Makes a call.
   *
   * @param call of a {@link StringProducer}
   * @param arguments where kernels see them; stay the caller's
   * @param rowCount rows of the batch
   * @return a column owned by the caller; null when the function of the host has to compute it
   */
  ColumnVector apply(BridgedCall call, List<ColumnVector> arguments, int rowCount) {
    StringProducer function = (StringProducer) call.function();
    if (arguments.size() == 1 && DictionaryDecoder.pays(arguments.get(0))) {
      return ofEntries(function, arguments.get(0));
    }
    List<Input> inputs = arguments.stream().map(this::input).toList();
    return produce(function, inputs, rowCount);
  }

  private Input input(ColumnVector column) {
    return column.dictionary() == null
        ? new Input(column, column)
        : new Input(dictionaries.entries(column.dictionary()), column);
  }

  private ColumnVector produce(StringProducer function, List<Input> arguments, int rowCount) {
    List<ColumnVector> constants = new ArrayList<>();
    try {
      List<Input> operands = new ArrayList<>();
      int next = 0;
      for (Literal literal : function.literals()) {
        if (literal == null) {
          operands.add(arguments.get(next++));
        } else {
          constants.add(constant(literal));
          operands.add(new Input(constants.get(constants.size() - 1), null));
        }
      }
      int texts = operands.size() - (function.operation().hasNumber() ? 1 : 0);
      Input number = function.operation().hasNumber() ? operands.get(texts) : null;
      if (kernel == null) {
        kernel = new StringProducerKernel(context.backend(), context.kernelAllocator());
      }
      return kernel.run(
          function.operation().code(),
          function.resultType(),
          rowCount,
          operands.subList(0, texts),
          number);
    } finally {
      constants.forEach(ColumnVector::close);
    }
  }

  /** Returns a column of one row where kernels see it. */
  private ColumnVector constant(Literal literal) {
    try (ColumnVector host =
        literal.type() == PrimitiveType.INT32
            ? number((Integer) literal.value())
            : ConstantColumns.of(literal, 1, context)) {
      return context.transfer().copyToKernels(host);
    }
  }

  private ColumnVector number(int value) {
    MemoryBuffer data = context.allocator().allocateZeroed(Integer.BYTES);
    data.putInt(0, value);
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, 1, data, null);
  }

  /** Returns a dictionary column of what the entries give; null when one is not known. */
  private ColumnVector ofEntries(StringProducer function, ColumnVector argument) {
    ColumnVector entries = dictionaries.entries(argument.dictionary());
    ColumnVector values =
        produce(function, List.of(new Input(entries, entries)), entries.rowCount());
    if (values == null) {
      return null;
    }
    Dictionary results = new Dictionary(values);
    MemoryBuffer codes = null;
    MemoryBuffer validity = null;
    try {
      int rowCount = argument.rowCount();
      codes = copyOf(argument.data(), PhysicalType.I32.dataLengthInBytes(rowCount));
      if (argument.validity() != null) {
        validity = copyOf(argument.validity(), PhysicalType.BOOL.dataLengthInBytes(rowCount));
      }
      return ColumnVector.ofDictionary(results, rowCount, codes, validity, argument.nullCount());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(codes);
      closer.close(validity);
      closer.close(results::release);
      closer.suppressIn(e);
      throw e;
    }
  }

  private MemoryBuffer copyOf(MemoryBuffer source, long lengthInBytes) {
    MemoryBuffer copy = context.kernelAllocator().allocate(lengthInBytes);
    return ColumnTransfer.filled(copy, () -> context.backend().copy(source, copy, lengthInBytes));
  }

  @Override
  public void close() {
    if (kernel != null) {
      kernel.close();
    }
  }
}
