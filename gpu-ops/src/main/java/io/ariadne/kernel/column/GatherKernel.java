package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.backend.KernelError;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.concat.DictionaryLookup;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.GatherRowsArgsLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Copies rows of flat columns by their row numbers. Strings stay views into the same heaps;
 * dictionary columns keep their dictionary. Used by one thread at a time.
 */
public final class GatherKernel implements AutoCloseable, DictionaryLookup {
  private static final String KERNEL_NAME = "gather_rows";

  private final BufferAllocator allocator;
  private final KernelCall call;
  private final ArgumentBlock arguments;

  /** Whether a launch was queued whose error is not known. */
  private boolean isUnchecked;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier: where gathered columns lie
   */
  public GatherKernel(Backend backend, BufferAllocator allocator) {
    this.allocator = allocator;
    this.call =
        new KernelCall(
            backend,
            KERNEL_NAME,
            GatherRowsArgsLayout.SIZE_IN_BYTES,
            GatherRowsArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /**
   * Gathers rows into a new column.
   *
   * @param column a flat column in kernel memory; stays the caller's
   * @param indices 32-bit row numbers in kernel memory
   * @param rowCount how many
   * @return a column owned by the caller, which retains heaps or dictionary
   * @throws EngineException INTERNAL when a number is not a row of the column
   */
  public ColumnVector gather(ColumnVector column, MemoryBuffer indices, int rowCount) {
    ColumnVector gathered = queue(column, indices, rowCount, false);
    try {
      check();
      return gathered;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(gathered);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Queues a gather into a new column. Several may be queued before {@link #check} waits for all of
   * them.
   *
   * @param column a flat column in kernel memory; stays the caller's
   * @param indices 32-bit row numbers in kernel memory
   * @param rowCount how many
   * @param mayMiss whether a number may be {@link
   *     io.ariadne.kernel.abi.GatherIndex#GATHER_NULL_INDEX}, for a null
   * @return a column owned by the caller, which retains heaps or dictionary
   */
  public ColumnVector queue(
      ColumnVector column, MemoryBuffer indices, int rowCount, boolean mayMiss) {
    MemoryBuffer data = null;
    MemoryBuffer validity = null;
    try {
      data = allocator.allocate(column.physicalType().dataLengthInBytes(rowCount));
      if (mayMiss || column.mayHaveNulls()) {
        validity = allocator.allocate(PhysicalType.BOOL.dataLengthInBytes(rowCount));
      }
      queue(column, indices, 0, rowCount, new Target(data, 0, validity));
      return column(column, rowCount, data, validity);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(data);
      closer.close(validity);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static ColumnVector column(
      ColumnVector source, int rowCount, MemoryBuffer data, MemoryBuffer validity) {
    int nulls = ColumnVector.UNKNOWN_NULL_COUNT;
    if (source.dictionary() != null) {
      return ColumnVector.ofDictionary(
          source.dictionary().retain(), rowCount, data, validity, nulls);
    }
    List<SharedBuffer> heaps = new ArrayList<>();
    source.heaps().forEach(heap -> heaps.add(heap.retain()));
    return new ColumnVector(
        source.type(), source.physicalType(), rowCount, data, validity, nulls, heaps, List.of());
  }

  /**
   * The target of gathered rows.
   *
   * @param data a buffer for the values
   * @param dataOffset byte of {@code data} where the first value goes, aligned to a value; 0 for
   *     bits
   * @param validity a buffer with one bit per row; null when the source has no nulls
   */
  public record Target(MemoryBuffer data, long dataOffset, MemoryBuffer validity) {}

  /**
   * Gathers rows into memory of the caller and waits.
   *
   * @param column a flat column in kernel memory; stays the caller's
   * @param indices 32-bit row numbers in kernel memory
   * @param firstIndex the first of them to use
   * @param rowCount how many
   * @param target where the rows go
   * @throws EngineException INTERNAL when a number is not a row of the column
   */
  public void run(
      ColumnVector column, MemoryBuffer indices, int firstIndex, int rowCount, Target target) {
    queue(column, indices, firstIndex, rowCount, target);
    check();
  }

  /** Queues what {@link #run} does; {@link #check} waits for it. */
  public void queue(
      ColumnVector column, MemoryBuffer indices, int firstIndex, int rowCount, Target target) {
    long indexOffset = (long) firstIndex * Integer.BYTES;
    Objects.checkFromIndexSize(
        indexOffset, (long) rowCount * Integer.BYTES, indices.capacityInBytes());
    Objects.checkFromIndexSize(
        target.dataOffset(),
        column.physicalType().dataLengthInBytes(rowCount),
        target.data().capacityInBytes());
    if (rowCount == 0) {
      return;
    }
    fillInput(column);
    long validity = target.validity() == null ? 0 : target.validity().address();
    arguments.putLong(GatherRowsArgsLayout.INDICES_OFFSET, indices.address() + indexOffset);
    arguments.putLong(
        GatherRowsArgsLayout.OUT_OFFSET, target.data().address() + target.dataOffset());
    arguments.putLong(GatherRowsArgsLayout.OUT_VALIDITY_OFFSET, validity);
    arguments.putInt(GatherRowsArgsLayout.ROWS_OFFSET, rowCount);
    arguments.putInt(GatherRowsArgsLayout.IN_ROWS_OFFSET, column.rowCount());
    if (!isUnchecked) {
      call.begin();
      isUnchecked = true;
    }
    call.launch(rowCount);
  }

  /**
   * Waits for the gathers that were queued.
   *
   * @throws EngineException INTERNAL when a number was not a row of its column
   */
  public void check() {
    if (isUnchecked) {
      call.status().await();
      checkAwaited();
    }
  }

  /** Returns the status block of the gathers that were queued, to wait for others with them. */
  public Optional<KernelStatus> unchecked() {
    return isUnchecked ? Optional.of(call.status()) : Optional.empty();
  }

  /** Forgets the gathers that were queued: whether they were right is not wanted. */
  public void forget() {
    isUnchecked = false;
  }

  /** Does what {@link #check} does after its caller has waited for {@link #unchecked}. */
  public void checkAwaited() {
    if (isUnchecked) {
      isUnchecked = false;
      KernelError error = call.error();
      if (error != null) {
        throw new EngineException(
            ErrorCode.INTERNAL, "index " + error.row() + " of a gather is no row of its column");
      }
    }
  }

  /**
   * Looks values up: gathers entries by codes. For a kernel of the host.
   *
   * @throws EngineException INTERNAL when a code is no entry of the dictionary
   */
  @Override
  public void lookUp(ColumnSlice rows, MemoryBuffer target, long offset) {
    ColumnVector column = rows.column();
    run(
        column.dictionary().entries(),
        column.data(),
        rows.first(),
        rows.count(),
        new Target(target, offset, null));
  }

  private void fillInput(ColumnVector column) {
    PhysicalType kind =
        column.physicalType() == PhysicalType.DICTIONARY32
            ? PhysicalType.I32
            : column.physicalType();
    int offset = GatherRowsArgsLayout.IN_OFFSET;
    long validity = column.validity() == null ? 0 : column.validity().address();
    arguments.putLong(offset + ColumnViewLayout.DATA_OFFSET, column.data().address());
    arguments.putLong(offset + ColumnViewLayout.VALIDITY_OFFSET, validity);
    arguments.putLong(offset + ColumnViewLayout.HEAPS_OFFSET, 0);
    arguments.putInt(offset + ColumnViewLayout.KIND_OFFSET, kind.code());
    arguments.putInt(offset + ColumnViewLayout.HEAP_COUNT_OFFSET, 0);
  }

  @Override
  public void close() {
    call.close();
  }
}
