package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelError;
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
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.ProduceInputLayout;
import io.ariadne.kernel.abi.ProduceLimit;
import io.ariadne.kernel.abi.ProduceOperation;
import io.ariadne.kernel.abi.ProduceTextArgsLayout;
import io.ariadne.kernel.abi.StringOffsetsArgsLayout;
import java.util.List;

/**
 * Makes columns of strings from others, in two passes: lengths, then characters. Used by one thread
 * at a time.
 */
public final class StringProducerKernel implements AutoCloseable {
  /** Most texts of one launch. */
  public static final int MAX_TEXTS = ProduceLimit.PRODUCE_MAX_TEXTS;

  private static final int OFFSETS_PER_THREAD = 4;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelFunction offsets;
  private final KernelStatus status;
  private final HeapTables heaps;
  private final ArgumentBlock arguments;
  private final ArgumentBlock offsetArguments;

  /**
   * Prepares launches.
   *
   * @param backend where the kernels run
   * @param allocator memory of the back end's tier: where the columns lie
   */
  public StringProducerKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.offsets = backend.kernel("string_offsets");
    this.status = backend.newStatus();
    this.heaps = new HeapTables(backend, allocator);
    this.arguments = new ArgumentBlock(ProduceTextArgsLayout.SIZE_IN_BYTES);
    this.offsetArguments = new ArgumentBlock(StringOffsetsArgsLayout.SIZE_IN_BYTES);
  }

  /**
   * An operand.
   *
   * @param values views, or integers of 32 or 64 bits, in buffers that kernels see
   * @param rows the rows' codes and validity: {@code values} itself, or a dictionary column of its
   *     entries; null when row 0 of {@code values} stands for all rows
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
   * @param number the operand that is a number, or null
   * @return a plain column owned by the caller; or null when kernels do not know what a row gives,
   *     or it all is more than 2 GiB
   */
  public ColumnVector run(
      int operation, DataType type, int rowCount, List<Input> texts, Input number) {
    Closer onFailure = new Closer();
    MemoryBuffer views = null;
    MemoryBuffer validity = null;
    SharedBuffer heap = null;
    try (MemoryBuffer places = allocator.allocate((rowCount + 1L) * Integer.BYTES)) {
      views = allocator.allocate(PhysicalType.VIEW16.dataLengthInBytes(rowCount));
      if (mayHaveNulls(operation, texts, number)) {
        validity = allocator.allocate(PhysicalType.BOOL.dataLengthInBytes(rowCount));
      }
      fill(operation, rowCount, texts, number);
      arguments.putLong(ProduceTextArgsLayout.OUT_OFFSET, views.address());
      arguments.putLong(
          ProduceTextArgsLayout.VALIDITY_OFFSET, validity == null ? 0 : validity.address());
      arguments.putLong(ProduceTextArgsLayout.OFFSETS_OFFSET, places.address());
      status.clear();
      String family = operation >= ProduceOperation.PRODUCE_TRANSLATE ? "recode" : "produce";
      KernelFunction lengths = backend.kernel(family + "_lengths");
      backend.launch(lengths, LaunchShape.ofRows(rowCount), arguments);
      long heapBytes = launchOffsets(views, places, rowCount);
      if (heapBytes < 0) {
        views.close();
        closeIfThere(validity);
        return null;
      }
      heap = new SharedBuffer(allocator.allocate(Math.max(1, heapBytes)));
      arguments.putLong(ProduceTextArgsLayout.HEAP_OFFSET, heap.address());
      status.clear();
      KernelFunction characters = backend.kernel(family + "_text");
      backend.launch(characters, LaunchShape.ofRows(rowCount), arguments);
      status.await();
      if (status.errorWord() != 0) {
        throw new EngineException(
            ErrorCode.INTERNAL,
            "kernel " + characters.name() + ": " + KernelError.decode(status.errorWord()));
      }
      int nulls = validity == null ? 0 : ColumnVector.UNKNOWN_NULL_COUNT;
      return new ColumnVector(
          type, PhysicalType.VIEW16, rowCount, views, validity, nulls, List.of(heap), List.of());
    } catch (RuntimeException | Error e) {
      onFailure.close(views);
      onFailure.close(validity);
      onFailure.close(heap == null ? null : heap::release);
      onFailure.suppressIn(e);
      throw e;
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

  private static void closeIfThere(MemoryBuffer buffer) {
    if (buffer != null) {
      buffer.close();
    }
  }

  /** Sums the lengths; returns the bytes of the heap, or -1 when it or a row is not covered. */
  private long launchOffsets(MemoryBuffer views, MemoryBuffer places, int rowCount) {
    long tileRows = (long) OFFSETS_PER_THREAD * offsets.blockSize();
    long words = backend.isBlockParallel() ? 1 + (rowCount + tileRows - 1) / tileRows : 1;
    try (MemoryBuffer workspace = allocator.allocate(Long.BYTES * words)) {
      backend.clear(workspace, 0, workspace.capacityInBytes());
      offsetArguments.putLong(StringOffsetsArgsLayout.STATUS_OFFSET, status.address());
      offsetArguments.putLong(StringOffsetsArgsLayout.VIEWS_OFFSET, views.address());
      offsetArguments.putLong(StringOffsetsArgsLayout.VALIDITY_OFFSET, 0);
      offsetArguments.putLong(StringOffsetsArgsLayout.OFFSETS_OFFSET, places.address());
      offsetArguments.putLong(StringOffsetsArgsLayout.WORKSPACE_OFFSET, workspace.address());
      offsetArguments.putInt(StringOffsetsArgsLayout.ROWS_OFFSET, rowCount);
      backend.launch(offsets, LaunchShape.ofRows(rowCount), offsetArguments);
      status.await();
    }
    return status.errorWord() == 0 ? status.detail(0) : -1;
  }

  private void fill(int operation, int rowCount, List<Input> texts, Input number) {
    arguments.putLong(ProduceTextArgsLayout.STATUS_OFFSET, status.address());
    arguments.putLong(ProduceTextArgsLayout.HEAP_OFFSET, 0);
    arguments.putInt(ProduceTextArgsLayout.OPERATION_OFFSET, operation);
    arguments.putInt(ProduceTextArgsLayout.ROWS_OFFSET, rowCount);
    arguments.putInt(ProduceTextArgsLayout.TEXT_COUNT_OFFSET, texts.size());
    for (int i = 0; i < texts.size(); i++) {
      fill(
          ProduceTextArgsLayout.TEXTS_OFFSET + i * ProduceTextArgsLayout.TEXTS_STRIDE,
          texts.get(i));
    }
    if (number != null) {
      fill(ProduceTextArgsLayout.NUMBER_OFFSET, number);
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

  private void fill(int offset, Input input) {
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
    closer.close(status);
    closer.close(arguments);
    closer.close(offsetArguments);
    closer.rethrow();
  }
}
