package io.ariadne.kernel.hash;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.GroupAssignArgsLayout;
import io.ariadne.kernel.abi.GroupPartLayout;
import io.ariadne.kernel.abi.GroupParts;
import io.ariadne.kernel.abi.GroupPhase;
import io.ariadne.kernel.column.HeapTables;
import java.util.List;

/**
 * Looks keys up in a finished {@link GroupTable}, or in several tables, each with the keys whose
 * hashes begin with the same bits. Used by one thread at a time; several lookups may read a table
 * at the same time. The kernel is {@code group_find} of {@code hash/group_assign.cuh}.
 */
public final class GroupLookup implements KeyLookup {
  private final BufferAllocator allocator;
  private final GroupTable table;
  private final HeapTables heaps;
  private final KernelCall find;
  private final KernelCall normalize; // null where the rows need not be normalised first
  private final ArgumentBlock parts; // null for one table

  /**
   * Prepares lookups.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   * @param table stays its owner's, who closes it after this
   */
  public GroupLookup(Backend backend, BufferAllocator allocator, GroupTable table) {
    this(backend, allocator, table, null);
  }

  /**
   * Creates a lookup in several tables.
   *
   * @param backend where the kernel runs: the host
   * @param allocator allocates host memory
   * @param parts a table for each value of the first {@link GroupParts#GROUP_PART_BITS} bits of a
   *     hash, with equal layouts; they stay their owner's, who closes them after this
   * @param firstGroups the number that the first group of each table has in this lookup
   */
  public GroupLookup(
      Backend backend, BufferAllocator allocator, List<GroupTable> parts, int[] firstGroups) {
    this(backend, allocator, parts.get(0), directory(backend, parts, firstGroups));
  }

  private GroupLookup(
      Backend backend, BufferAllocator allocator, GroupTable table, ArgumentBlock parts) {
    this.allocator = allocator;
    this.table = table;
    this.parts = parts;
    KernelCall first = null;
    try {
      this.heaps = new HeapTables(backend, allocator);
      first = call(backend, "group_find");
      this.normalize = backend.isBlockParallel() ? call(backend, "group_assign") : null;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(first);
      closer.close(parts);
      closer.suppressIn(e);
      throw e;
    }
    this.find = first;
  }

  private static ArgumentBlock directory(
      Backend backend, List<GroupTable> parts, int[] firstGroups) {
    if (backend.isBlockParallel() || parts.size() != 1 << GroupParts.GROUP_PART_BITS) {
      throw new IllegalArgumentException(parts.size() + " tables, or not on the host");
    }
    ArgumentBlock directory = new ArgumentBlock(parts.size() * GroupPartLayout.SIZE_IN_BYTES);
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).fillPart(directory, i * GroupPartLayout.SIZE_IN_BYTES, firstGroups[i]);
    }
    return directory;
  }

  private static KernelCall call(Backend backend, String kernel) {
    return new KernelCall(
        backend, kernel, GroupAssignArgsLayout.SIZE_IN_BYTES, GroupAssignArgsLayout.STATUS_OFFSET);
  }

  @Override
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
    arguments.putLong(GroupAssignArgsLayout.PARTS_OFFSET, parts == null ? 0 : parts.address());
    arguments.putLong(GroupAssignArgsLayout.GROUP_IDS_OFFSET, groupIds.address());
    arguments.putLong(
        GroupAssignArgsLayout.ROW_KEYS_OFFSET, rowKeys == null ? 0 : rowKeys.address());
    arguments.putInt(GroupAssignArgsLayout.PHASE_OFFSET, GroupPhase.GROUP_NORMALIZE);
    arguments.putInt(GroupAssignArgsLayout.ROWS_OFFSET, rowCount);
    call.launch(rowCount);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(normalize);
    closer.close(find);
    closer.close(heaps);
    closer.close(parts);
    closer.rethrow();
  }
}
