package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.ChooseLimit;
import io.ariadne.kernel.abi.ChooseOptionLayout;
import io.ariadne.kernel.abi.ChooseRule;
import io.ariadne.kernel.abi.ChooseTextArgsLayout;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.column.StringProducerKernel.Input;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses one of several strings in each row. The result has views into the heaps of all options;
 * no character data is copied. Used by one thread at a time.
 */
public final class StringChoiceKernel implements AutoCloseable {
  /** The most options of a launch. */
  public static final int MAX_OPTIONS = ChooseLimit.CHOOSE_MAX_OPTIONS;

  private static final String KERNEL_NAME = "choose_text";

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelFunction kernel;
  private final KernelStatus status;
  private final HeapTables tables;
  private final ArgumentBlock arguments;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier: where the columns lie
   */
  public StringChoiceKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.kernel = backend.kernel(KERNEL_NAME);
    this.status = backend.newStatus();
    this.tables = new HeapTables(backend, allocator);
    this.arguments = new ArgumentBlock(ChooseTextArgsLayout.SIZE_IN_BYTES);
  }

  /**
   * Makes a column.
   *
   * @param rule a constant of {@link ChooseRule}
   * @param type STRING or BINARY
   * @param rowCount rows
   * @param options the strings to choose from, at most {@link #MAX_OPTIONS}
   * @param number the option number of each row for {@link ChooseRule#CHOOSE_NUMBERED}, else null
   * @return a plain column owned by the caller, which retains the options' heaps
   */
  public ColumnVector run(
      int rule, DataType type, int rowCount, List<Input> options, Input number) {
    List<SharedBuffer> heaps = new ArrayList<>();
    MemoryBuffer views = null;
    MemoryBuffer validity = null;
    try {
      views = allocator.allocate(PhysicalType.VIEW16.dataLengthInBytes(rowCount));
      if (mayHaveNulls(options, number)) {
        validity = allocator.allocate(PhysicalType.BOOL.dataLengthInBytes(rowCount));
      }
      fill(rule, options, number, heaps);
      arguments.putLong(ChooseTextArgsLayout.STATUS_OFFSET, status.address());
      arguments.putLong(ChooseTextArgsLayout.OUT_OFFSET, views.address());
      arguments.putLong(
          ChooseTextArgsLayout.VALIDITY_OFFSET, validity == null ? 0 : validity.address());
      arguments.putInt(ChooseTextArgsLayout.ROWS_OFFSET, rowCount);
      status.clear();
      backend.launch(kernel, LaunchShape.ofRows(rowCount), arguments);
      status.await();
      if (status.errorWord() != 0) {
        throw new EngineException(ErrorCode.INTERNAL, "kernel " + KERNEL_NAME + " failed");
      }
      int nulls = validity == null ? 0 : ColumnVector.UNKNOWN_NULL_COUNT;
      heaps.forEach(SharedBuffer::retain);
      return new ColumnVector(
          type, PhysicalType.VIEW16, rowCount, views, validity, nulls, heaps, List.of());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(views);
      closer.close(validity);
      closer.suppressIn(e);
      throw e;
    } finally {
      tables.release();
    }
  }

  private static boolean mayHaveNulls(List<Input> options, Input number) {
    return number == null
        ? options.stream().allMatch(Input::mayHaveNulls)
        : number.mayHaveNulls() || options.stream().anyMatch(Input::mayHaveNulls);
  }

  /** Fills the inputs; adds to the heaps of the result. */
  private void fill(int rule, List<Input> options, Input number, List<SharedBuffer> heaps) {
    boolean isCompared = rule == ChooseRule.CHOOSE_GREATEST || rule == ChooseRule.CHOOSE_LEAST;
    arguments.putInt(ChooseTextArgsLayout.RULE_OFFSET, rule);
    arguments.putInt(ChooseTextArgsLayout.OPTION_COUNT_OFFSET, options.size());
    for (int i = 0; i < options.size(); i++) {
      int offset = ChooseTextArgsLayout.OPTIONS_OFFSET + i * ChooseTextArgsLayout.OPTIONS_STRIDE;
      ColumnVector values = options.get(i).values();
      fill(offset, options.get(i), isCompared ? tables.addressOf(values) : 0);
      arguments.putInt(
          offset + ChooseOptionLayout.FIRST_HEAP_OFFSET, firstHeap(values.heaps(), heaps));
    }
    if (number != null) {
      fill(ChooseTextArgsLayout.NUMBER_OFFSET, number, 0);
    }
  }

  /** Adds an option's heaps to those of the result; returns the number of the first one there. */
  private static int firstHeap(List<SharedBuffer> own, List<SharedBuffer> all) {
    for (int first = 0; first + own.size() <= all.size(); first++) {
      boolean isThere = true;
      for (int i = 0; i < own.size(); i++) {
        isThere &= all.get(first + i) == own.get(i);
      }
      if (isThere) {
        return first;
      }
    }
    all.addAll(own);
    return all.size() - own.size();
  }

  private void fill(int offset, Input input, long heaps) {
    int column = offset + ChooseOptionLayout.COLUMN_OFFSET;
    ColumnVector values = input.values();
    arguments.putLong(column + ColumnViewLayout.DATA_OFFSET, values.data().address());
    arguments.putLong(column + ColumnViewLayout.VALIDITY_OFFSET, 0);
    arguments.putLong(column + ColumnViewLayout.HEAPS_OFFSET, heaps);
    arguments.putInt(column + ColumnViewLayout.KIND_OFFSET, values.physicalType().code());
    arguments.putInt(column + ColumnViewLayout.HEAP_COUNT_OFFSET, 0);
    arguments.putLong(offset + ChooseOptionLayout.CODES_OFFSET, input.codes());
    arguments.putLong(offset + ChooseOptionLayout.VALIDITY_OFFSET, input.validity());
    arguments.putInt(offset + ChooseOptionLayout.IS_CONSTANT_OFFSET, input.rows() == null ? 1 : 0);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(tables);
    closer.close(status);
    closer.close(arguments);
    closer.rethrow();
  }
}
