package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringProducer;
import io.ariadne.kernel.column.StringProducerKernel;
import io.ariadne.kernel.column.StringProducerKernel.Input;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@link StringProducer}s with a kernel. When the only argument is a dictionary column with
 * few entries, the function runs once per entry. Used by one thread at a time.
 */
final class ProducedStrings implements AutoCloseable {
  private final OperatorContext context;
  private final KernelDictionaries dictionaries;
  private final KernelOperands operands;
  private StringProducerKernel kernel; // null until the first call

  ProducedStrings(
      OperatorContext context, KernelDictionaries dictionaries, KernelOperands operands) {
    this.context = context;
    this.dictionaries = dictionaries;
    this.operands = operands;
  }

  /**
   * Runs a function.
   *
   * @param call a call of a {@link StringProducer}
   * @param arguments in kernel memory; stay the caller's
   * @param rowCount rows of the batch
   * @return a column owned by the caller; null when the function has to run on the host
   */
  ColumnVector apply(BridgedCall call, List<ColumnVector> arguments, int rowCount) {
    StringProducer function = (StringProducer) call.function();
    boolean nullsFollowOperands =
        !function.operation().takesNulls() && !function.operation().makesNulls();
    if (nullsFollowOperands && arguments.size() == 1 && DictionaryDecoder.pays(arguments.get(0))) {
      return ofEntries(function, arguments.get(0));
    }
    List<Input> inputs = arguments.stream().map(operands::input).toList();
    return produce(function, inputs, rowCount);
  }

  private ColumnVector produce(StringProducer function, List<Input> arguments, int rowCount) {
    List<ColumnVector> constants = new ArrayList<>();
    try {
      List<Input> inputs = new ArrayList<>();
      int next = 0;
      for (Literal literal : function.literals()) {
        if (literal == null) {
          inputs.add(arguments.get(next++));
        } else {
          constants.add(operands.constant(literal));
          inputs.add(new Input(constants.get(constants.size() - 1), null));
        }
      }
      int texts = inputs.size() - (function.operation().hasNumber() ? 1 : 0);
      Input number = function.operation().hasNumber() ? inputs.get(texts) : null;
      if (kernel == null) {
        kernel = new StringProducerKernel(context.backend(), context.kernelAllocator());
      }
      return kernel.run(
          function.operation().code(),
          function.resultType(),
          rowCount,
          inputs.subList(0, texts),
          number);
    } finally {
      constants.forEach(ColumnVector::close);
    }
  }

  /**
   * Returns a dictionary column of the results for the entries; null when the kernel does not know
   * one of them.
   */
  private ColumnVector ofEntries(StringProducer function, ColumnVector argument) {
    ColumnVector entries = dictionaries.entries(argument.dictionary());
    ColumnVector values =
        produce(function, List.of(new Input(entries, entries)), entries.rowCount());
    if (values == null) {
      return null;
    }
    return EntryResults.of(values, argument, context);
  }

  @Override
  public void close() {
    if (kernel != null) {
      kernel.close();
    }
  }
}
