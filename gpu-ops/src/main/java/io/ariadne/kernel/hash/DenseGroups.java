package io.ariadne.kernel.hash;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.DenseGroupsArgsLayout;
import io.ariadne.kernel.abi.DensePhase;
import java.util.List;

/**
 * The groups of a single integer key with a small range of values: a table with an entry for each
 * value of the range. The group of a key is the number of its first row. Complete when it is
 * created; several threads may look keys up at the same time. The kernel is {@code
 * hash/dense_groups.cuh}.
 */
public final class DenseGroups implements AutoCloseable {
  private static final String KERNEL_NAME = "dense_groups";

  /** The range has at most so many values per row. */
  private static final long VALUES_PER_ROW = 4;

  private final MemoryBuffer entries;
  private final long least;
  private final long entryCount;
  private final int groupCount;

  private DenseGroups(MemoryBuffer entries, long least, long entryCount, int groupCount) {
    this.entries = entries;
    this.least = least;
    this.entryCount = entryCount;
    this.groupCount = groupCount;
  }

  /** Returns whether keys of these layouts may have such groups. */
  public static boolean suit(List<PhysicalType> keyKinds) {
    return keyKinds.size() == 1
        && switch (keyKinds.get(0)) {
          case I8, I16, I32, I64 -> true;
          default -> false;
        };
  }

  /**
   * Finds the groups of rows if the range of their values is small: at most four values per row.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   * @param key a key of a layout that {@link #suit} accepts, in kernel memory
   * @param groupIds receives a 32-bit number per row: the number of the first row with the same
   *     key; for a null key the row's own number
   * @return the groups, owned by the caller; null when the range is too large
   */
  public static DenseGroups of(
      Backend backend, BufferAllocator allocator, ColumnVector key, MemoryBuffer groupIds) {
    Range range = Range.of(backend, allocator, key);
    if (!range.isClose(key.rowCount())) {
      return null;
    }
    long entryCount = range.greatest() - range.least() + 1;
    MemoryBuffer entries = allocator.allocate(entryCount * Integer.BYTES);
    try (Kernel kernel = new Kernel(backend, key.rowCount())) {
      backend.clear(entries, 0, entries.capacityInBytes());
      kernel.fillKey(key);
      kernel.fillEntries(entries, range.least(), entryCount);
      return new DenseGroups(entries, range.least(), entryCount, kernel.assign(groupIds));
    } catch (RuntimeException | Error e) {
      entries.close();
      throw e;
    }
  }

  /**
   * The range of the keys of rows.
   *
   * @param isEmpty whether there are no keys, or only nulls
   * @param least the least value
   * @param greatest the greatest value
   */
  public record Range(boolean isEmpty, long least, long greatest) {
    /** The range without values. */
    public static final Range NONE = new Range(true, 0, 0);

    /**
     * Finds the range of a column.
     *
     * @param backend where the kernel runs
     * @param allocator memory of the back end's tier
     * @param key a key of a layout that {@link #suit} accepts, in kernel memory
     */
    public static Range of(Backend backend, BufferAllocator allocator, ColumnVector key) {
      try (Kernel kernel = new Kernel(backend, key.rowCount())) {
        kernel.fillKey(key);
        return kernel.range(allocator);
      }
    }

    /** Returns the range that includes this range and another one. */
    public Range with(Range other) {
      if (isEmpty || other.isEmpty) {
        return isEmpty ? other : this;
      }
      return new Range(false, Math.min(least, other.least), Math.max(greatest, other.greatest));
    }

    /** Returns whether the range is small for so many rows. */
    public boolean isClose(long rowCount) {
      // the distance as an unsigned number
      return !isEmpty && Long.compareUnsigned(greatest - least, VALUES_PER_ROW * rowCount) < 0;
    }
  }

  /** Returns how many groups there are; each row with a null key is one of them. */
  public int groupCount() {
    return groupCount;
  }

  /**
   * Creates a lookup.
   *
   * @param backend where the kernel runs
   * @return owned by the caller, to be closed before this
   */
  public KeyLookup newLookup(Backend backend) {
    Kernel kernel = new Kernel(backend, 0);
    kernel.fillEntries(entries, least, entryCount);
    return kernel;
  }

  @Override
  public void close() {
    entries.close();
  }

  /** The kernel with its arguments. */
  private static final class Kernel implements KeyLookup {
    private final Backend backend;
    private final KernelCall call;
    private final ArgumentBlock arguments;
    private int rowCount;

    Kernel(Backend backend, int rowCount) {
      this.backend = backend;
      this.rowCount = rowCount;
      this.call =
          new KernelCall(
              backend,
              KERNEL_NAME,
              DenseGroupsArgsLayout.SIZE_IN_BYTES,
              DenseGroupsArgsLayout.STATUS_OFFSET);
      this.arguments = call.arguments();
    }

    void fillKey(ColumnVector key) {
      int view = DenseGroupsArgsLayout.KEY_OFFSET;
      arguments.putLong(view + ColumnViewLayout.DATA_OFFSET, key.data().address());
      arguments.putLong(
          view + ColumnViewLayout.VALIDITY_OFFSET,
          key.validity() == null ? 0 : key.validity().address());
      arguments.putLong(view + ColumnViewLayout.HEAPS_OFFSET, 0);
      arguments.putInt(view + ColumnViewLayout.KIND_OFFSET, key.physicalType().code());
      arguments.putInt(view + ColumnViewLayout.HEAP_COUNT_OFFSET, 0);
    }

    void fillEntries(MemoryBuffer entries, long least, long entryCount) {
      arguments.putLong(DenseGroupsArgsLayout.ENTRIES_OFFSET, entries.address());
      arguments.putLong(DenseGroupsArgsLayout.LEAST_OFFSET, least);
      arguments.putLong(DenseGroupsArgsLayout.ENTRY_COUNT_OFFSET, entryCount);
    }

    Range range(BufferAllocator allocator) {
      try (MemoryBuffer range = allocator.allocate(2 * Long.BYTES);
          ArgumentBlock host = new ArgumentBlock(2 * Long.BYTES)) {
        backend.clear(range, 0, range.capacityInBytes());
        arguments.putLong(DenseGroupsArgsLayout.RANGE_OFFSET, range.address());
        launch(DensePhase.DENSE_RANGE);
        call.await(range, host);
        long least = host.getLong(0);
        long greatest = host.getLong(Long.BYTES);
        return least == 0 && greatest == 0
            ? Range.NONE
            : new Range(false, ~least ^ Long.MIN_VALUE, greatest ^ Long.MIN_VALUE);
      }
    }

    /** Gives the rows their groups; returns how many there are. */
    int assign(MemoryBuffer groupIds) {
      arguments.putLong(DenseGroupsArgsLayout.GROUP_IDS_OFFSET, groupIds.address());
      call.begin();
      if (backend.isBlockParallel()) {
        launch(DensePhase.DENSE_PUT);
      }
      launch(DensePhase.DENSE_GROUPS);
      call.await();
      return Math.toIntExact(call.status().rowsOut());
    }

    @Override
    public void find(List<ColumnVector> keys, int rows, MemoryBuffer groupIds) {
      rowCount = rows;
      fillKey(keys.get(0));
      arguments.putLong(DenseGroupsArgsLayout.GROUP_IDS_OFFSET, groupIds.address());
      launch(DensePhase.DENSE_FIND);
    }

    private void launch(int phase) {
      arguments.putInt(DenseGroupsArgsLayout.PHASE_OFFSET, phase);
      arguments.putInt(DenseGroupsArgsLayout.ROWS_OFFSET, rowCount);
      call.launch(rowCount);
    }

    @Override
    public void close() {
      call.close();
    }
  }
}
