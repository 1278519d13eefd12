package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.ProduceInputLayout;
import io.ariadne.kernel.abi.ProduceLimit;
import io.ariadne.kernel.abi.ProduceOperation;
import io.ariadne.kernel.abi.ProduceTextArgsLayout;
import java.util.List;

/**
 * Computes string columns from other columns in two passes: first the lengths, then the characters.
 * Used by one thread at a time.
 */
public final class StringProducerKernel implements AutoCloseable {
  /** The most texts of a launch. */
  public static final int MAX_TEXTS = ProduceLimit.PRODUCE_MAX_TEXTS;

  private static final TwoPassStrings.Places PLACES =
      new TwoPassStrings.Places(
          ProduceTextArgsLayout.SIZE_IN_BYTES,
          ProduceTextArgsLayout.STATUS_OFFSET,
          ProduceTextArgsLayout.OUT_OFFSET,
          ProduceTextArgsLayout.VALIDITY_OFFSET,
          ProduceTextArgsLayout.OFFSETS_OFFSET,
          ProduceTextArgsLayout.HEAP_OFFSET);

  private final TwoPassStrings produced;
  private final TwoPassStrings recoded;
  private final HeapTables heaps;

  /**
   * Prepares launches.
   *
   * @param backend where the kernels run
   * @param allocator memory of the back end's tier: where the columns lie
   */
  public StringProducerKernel(Backend backend, BufferAllocator allocator) {
    this.produced =
        new TwoPassStrings(backend, allocator, "produce_lengths", "produce_text", PLACES);
    this.recoded = new TwoPassStrings(backend, allocator, "recode_lengths", "recode_text", PLACES);
    this.heaps = new HeapTables(backend, allocator);
  }

  /**
   * An operand.
   *
   * @param values views, or integers of 32 or 64 bits, in kernel memory
   * @param rows codes and validity of the rows: {@code values} itself, or a dictionary column with
   *     these entries; null when row 0 of {@code values} is the value of all rows
   */
  public record Input(ColumnVector values, ColumnVector rows) {
    /** Returns the address of the rows' codes, or 0 when they have none. */
    long codes() {
      return rows == null || rows == values ? 0 : rows.data().address();
    }

    /** Returns the address of the rows' validity, or 0 when none is null. */
    long validity() {
      return rows == null || rows.validity() == null ? 0 : rows.validity().address();
    }

    /** Returns whether rows may be null. */
    boolean mayHaveNulls() {
      return validity() != 0;
    }
  }

  /**
   * Makes a column.
   *
   * @param operation a constant of {@link ProduceOperation}
   * @param type STRING or BINARY
   * @param rowCount rows of the operands
   * @param texts operands, at most {@link #MAX_TEXTS}
   * @param number the numeric operand, or null
   * @return a plain column owned by the caller; or null when the kernels do not know the result of
   *     a row, or the strings take more than 2 GiB
   */
  public ColumnVector run(
      int operation, DataType type, int rowCount, List<Input> texts, Input number) {
    boolean isRecoded = operation >= ProduceOperation.PRODUCE_TRANSLATE;
    TwoPassStrings strings = isRecoded ? recoded : produced;
    try {
      fill(strings.arguments(), operation, rowCount, texts, number);
      return strings.run(type, rowCount, mayHaveNulls(operation, texts, number));
    } finally {
      heaps.release();
    }
  }

  private static boolean mayHaveNulls(int operation, List<Input> texts, Input number) {
    boolean takesNulls = operation == ProduceOperation.PRODUCE_CONCAT_WITH_SEPARATOR;
    List<Input> needed = takesNulls ? texts.subList(0, 1) : texts;
    return operation == ProduceOperation.PRODUCE_UNHEX
        || needed.stream().anyMatch(Input::mayHaveNulls)
        || (number != null && number.mayHaveNulls());
  }

  private void fill(
      ArgumentBlock arguments, int operation, int rowCount, List<Input> texts, Input number) {
    arguments.putInt(ProduceTextArgsLayout.OPERATION_OFFSET, operation);
    arguments.putInt(ProduceTextArgsLayout.ROWS_OFFSET, rowCount);
    arguments.putInt(ProduceTextArgsLayout.TEXT_COUNT_OFFSET, texts.size());
    for (int i = 0; i < texts.size(); i++) {
      fill(
          arguments,
          ProduceTextArgsLayout.TEXTS_OFFSET + i * ProduceTextArgsLayout.TEXTS_STRIDE,
          texts.get(i));
    }
    if (number != null) {
      fill(arguments, ProduceTextArgsLayout.NUMBER_OFFSET, number);
    } else {
      arguments.putLong(
          ProduceTextArgsLayout.NUMBER_OFFSET
              + ProduceInputLayout.COLUMN_OFFSET
              + ColumnViewLayout.DATA_OFFSET,
          0);
      arguments.putLong(
          ProduceTextArgsLayout.NUMBER_OFFSET + ProduceInputLayout.VALIDITY_OFFSET, 0);
    }
  }

  private void fill(ArgumentBlock arguments, int offset, Input input) {
    int column = offset + ProduceInputLayout.COLUMN_OFFSET;
    ColumnVector values = input.values();
    arguments.putLong(column + ColumnViewLayout.DATA_OFFSET, values.data().address());
    arguments.putLong(column + ColumnViewLayout.VALIDITY_OFFSET, 0);
    arguments.putLong(column + ColumnViewLayout.HEAPS_OFFSET, heaps.addressOf(values));
    arguments.putInt(column + ColumnViewLayout.KIND_OFFSET, values.physicalType().code());
    arguments.putInt(column + ColumnViewLayout.HEAP_COUNT_OFFSET, 0);
    arguments.putLong(offset + ProduceInputLayout.CODES_OFFSET, input.codes());
    arguments.putLong(offset + ProduceInputLayout.VALIDITY_OFFSET, input.validity());
    arguments.putInt(offset + ProduceInputLayout.IS_CONSTANT_OFFSET, input.rows() == null ? 1 : 0);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(heaps);
    closer.close(produced);
    closer.close(recoded);
    closer.rethrow();
  }
}
