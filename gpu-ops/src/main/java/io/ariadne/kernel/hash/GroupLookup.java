package io.ariadne.kernel.hash;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.GroupAssignArgsLayout;
import io.ariadne.kernel.abi.GroupPhase;
import io.ariadne.kernel.column.HeapTables;
import java.util.List;

/**
 * Looks rows up in a {@link GroupTable} that takes no more rows. Used by one thread at a time;
 * several may look up in one table at once. The kernel is {@code group_find} of {@code
 * hash/group_assign.cuh}.
 */
public final class GroupLookup implements AutoCloseable {
  private final BufferAllocator allocator;
  private final GroupTable table;
  private final HeapTables heaps;
  private final KernelCall find;
  private final KernelCall normalize; // null where the rows need not be normalised first

  /**
   * Prepares lookups.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   * @param table stays its owner's, open as long as this is
   */
  public GroupLookup(Backend backend, BufferAllocator allocator, GroupTable table) {
    this.allocator = allocator;
    this.table = table;
    this.heaps = new HeapTables(backend, allocator);
    this.find = call(backend, "group_find");
    try {
      this.normalize = backend.isBlockParallel() ? call(backend, "group_assign") : null;
    } catch (RuntimeException | Error e) {
      find.close();
      throw e;
    }
  }

  private static KernelCall call(Backend backend, String kernel) {
    return new KernelCall(
        backend, kernel, GroupAssignArgsLayout.SIZE_IN_BYTES, GroupAssignArgsLayout.STATUS_OFFSET);
  }

  /**
   * Finds the groups of rows.
   *
   * @param keys key columns in the layouts of the table
   * @param rowCount rows of each
   * @param groupIds room for one 32-bit number per row; written: the group, or one of {@link
   *     io.ariadne.kernel.abi.GroupMissing}
   */
  public void find(List<ColumnVector> keys, int rowCount, MemoryBuffer groupIds) {
    MemoryBuffer rowKeys = null;
    try {
      if (normalize != null) {
        long words = (long) rowCount * table.keyWords();
        rowKeys = allocator.allocate(words * Long.BYTES);
        launch(normalize, keys, rowCount, groupIds, rowKeys);
      }
      launch(find, keys, rowCount, groupIds, rowKeys);
    } finally {
      if (rowKeys != null) {
        rowKeys.close();
      }
      heaps.release();
    }
  }

  private void launch(
      KernelCall call,
      List<ColumnVector> keys,
      int rowCount,
      MemoryBuffer groupIds,
      MemoryBuffer rowKeys) {
    ArgumentBlock arguments = call.arguments();
    table.fillTable(arguments);
    table.fillKeys(arguments, heaps, keys);
    arguments.putLong(GroupAssignArgsLayout.SOURCE_KEYS_OFFSET, 0);
    arguments.putLong(GroupAssignArgsLayout.GROUP_IDS_OFFSET, groupIds.address());
    arguments.putLong(
        GroupAssignArgsLayout.ROW_KEYS_OFFSET, rowKeys == null ? 0 : rowKeys.address());
    arguments.putInt(GroupAssignArgsLayout.PHASE_OFFSET, GroupPhase.GROUP_NORMALIZE);
    arguments.putInt(GroupAssignArgsLayout.ROWS_OFFSET, rowCount);
    call.run(rowCount);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(normalize);
    closer.close(find);
    closer.close(heaps);
    closer.rethrow();
  }
}
