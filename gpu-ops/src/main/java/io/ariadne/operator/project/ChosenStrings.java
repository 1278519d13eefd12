package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringChoice;
import io.ariadne.expression.StringChoice.Rule;
import io.ariadne.kernel.column.StringChoiceKernel;
import io.ariadne.kernel.column.StringProducerKernel.Input;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs {@link StringChoice}s. A numbered choice among literals becomes a dictionary column whose
 * codes are the numbers; a kernel runs all other choices. Used by one thread at a time.
 */
final class ChosenStrings implements AutoCloseable {
  private final OperatorContext context;
  private final KernelOperands operands;
  private final Map<StringChoice, Dictionary> literals = new HashMap<>();
  private StringChoiceKernel kernel; // null until the first call

  ChosenStrings(OperatorContext context, KernelOperands operands) {
    this.context = context;
    this.operands = operands;
  }

  /**
   * Runs a choice.
   *
   * @param call a call of a {@link StringChoice}
   * @param arguments in kernel memory; stay the caller's
   * @param rowCount rows of the batch
   * @return a column owned by the caller
   */
  ColumnVector apply(BridgedCall call, List<ColumnVector> arguments, int rowCount) {
    StringChoice choice = (StringChoice) call.function();
    boolean isNumbered = choice.rule() == Rule.NUMBERED;
    if (isNumbered
        && choice.isOfLiterals()
        && arguments.get(0).physicalType() == PhysicalType.I32) {
      return ofLiterals(choice, arguments.get(0));
    }
    List<ColumnVector> constants = new ArrayList<>();
    try {
      Input number = isNumbered ? operands.input(arguments.get(0)) : null;
      int next = isNumbered ? 1 : 0;
      List<Input> options = new ArrayList<>();
      for (Literal option : choice.options()) {
        if (option == null) {
          options.add(operands.input(arguments.get(next++)));
        } else {
          constants.add(operands.constant(option));
          options.add(new Input(constants.get(constants.size() - 1), null));
        }
      }
      if (kernel == null) {
        kernel = new StringChoiceKernel(context.backend(), context.kernelAllocator());
      }
      return kernel.run(choice.rule().code(), choice.resultType(), rowCount, options, number);
    } finally {
      constants.forEach(ColumnVector::close);
    }
  }

  private ColumnVector ofLiterals(StringChoice choice, ColumnVector numbers) {
    Dictionary dictionary = literals.computeIfAbsent(choice, this::dictionary).retain();
    MemoryBuffer codes = null;
    MemoryBuffer validity = null;
    try {
      int rowCount = numbers.rowCount();
      codes = operands.copyOf(numbers.data(), PhysicalType.I32.dataLengthInBytes(rowCount));
      if (numbers.validity() != null) {
        long bytes = PhysicalType.BOOL.dataLengthInBytes(rowCount);
        validity = operands.copyOf(numbers.validity(), bytes);
      }
      return ColumnVector.ofDictionary(dictionary, rowCount, codes, validity, numbers.nullCount());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(codes);
      closer.close(validity);
      closer.close(dictionary::release);
      closer.suppressIn(e);
      throw e;
    }
  }

  private Dictionary dictionary(StringChoice choice) {
    try (ViewBuilder builder =
        (ViewBuilder) ColumnBuilder.create(choice.resultType(), context.allocator())) {
      choice.options().forEach(option -> builder.append((byte[]) option.value()));
      return new Dictionary(builder.build());
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(kernel);
    literals.values().forEach(dictionary -> closer.close(dictionary::release));
    closer.rethrow();
  }
}
