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
 * The groups of one integer key whose values lie close together: a table with an entry per value of
 * their range. The group of a key is the number of its first row. Complete from the start; several
 * threads may look up at once. The kernel is {@code hash/dense_groups.cuh}.
 */
public final class DenseGroups implements AutoCloseable {
  private static final String KERNEL_NAME = "dense_groups";

  /** Values of the range for each row, at most. */
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

  /** Returns whether keys of a layout may have such groups. */
  public static boolean suit(List<PhysicalType> keyKinds) {
    return keyKinds.size() == 1
        && switch (keyKinds.get(0)) {
          case I8, I16, I32, I64 -> true;
          default -> false;
        };
  }

  /**
   * Gives rows their groups if the values lie close together: at most four of the range for each
   * row.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   * @param key one that {@link #suit}s, where kernels see it
   * @param groupIds room for one 32-bit number per row; written: the number of the first row with
   *     the same key; of a row whose key is null its own number
   * @return the groups, owned by the caller; null when the values do not lie close together
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
   * From which value on up to which the keys of rows are.
   *
   * @param isEmpty whether there are none, or only nulls
   * @param least the least value
   * @param greatest the greatest one
   */
  public record Range(boolean isEmpty, long least, long greatest) {
    /** That of no values. */
    public static final Range NONE = new Range(true, 0, 0);

    /**
     * Finds the range of a column.
     *
     * @param backend where the kernel runs
     * @param allocator memory of the back end's tier
     * @param key one that {@link #suit}s, where kernels see it
     */
    public static Range of(Backend backend, BufferAllocator allocator, ColumnVector key) {
      try (Kernel kernel = new Kernel(backend, key.rowCount())) {
        kernel.fillKey(key);
        return kernel.range(allocator);
      }
    }

    /** Returns the range of these values and others. */
    public Range with(Range other) {
      if (isEmpty || other.isEmpty) {
        return isEmpty ? other : this;
      }
      return new Range(false, Math.min(least, other.least), Math.max(greatest, other.greatest));
    }

    /** Returns whether the values of so many rows lie close together. */
    public boolean isClose(long rowCount) {
      // the distance as an unsigned number
      return !isEmpty && Long.compareUnsigned(greatest - least, VALUES_PER_ROW * rowCount) < 0;
    }
  }

  /** Returns how many groups there are, one for each row whose key is null among them. */
  public int groupCount() {
    return groupCount;
  }

  /**
   * Prepares lookups.
   *
   * @param backend where the kernel runs
   * @return owned by the caller, closed before this is
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

  /** The kernel with arguments of its own. */
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
        run(DensePhase.DENSE_RANGE);
        backend.read(range, 0, host.address(), 2 * Long.BYTES);
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
      if (backend.isBlockParallel()) {
        run(DensePhase.DENSE_PUT);
      }
      run(DensePhase.DENSE_GROUPS);
      return Math.toIntExact(call.status().rowsOut());
    }

    @Override
    public void find(List<ColumnVector> keys, int rows, MemoryBuffer groupIds) {
      rowCount = rows;
      fillKey(keys.get(0));
      arguments.putLong(DenseGroupsArgsLayout.GROUP_IDS_OFFSET, groupIds.address());
      run(DensePhase.DENSE_FIND);
    }

    private void run(int phase) {
      arguments.putInt(DenseGroupsArgsLayout.PHASE_OFFSET, phase);
      arguments.putInt(DenseGroupsArgsLayout.ROWS_OFFSET, rowCount);
      call.run(rowCount);
    }

    @Override
    public void close() {
      call.close();
    }
  }
}
