package io.ariadne.kernel.hash;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.GroupAssignArgsLayout;
import io.ariadne.kernel.column.HeapTables;
import java.util.List;

/**
 * Computes the hashes that rows have in a {@link GroupTable}. Equal keys have equal hashes, on
 * every back end. Used by one thread at a time. The kernel is {@code group_hash} of {@code
 * hash/group_assign.cuh}.
 */
public final class GroupHashKernel implements AutoCloseable {
  private final List<PhysicalType> keyKinds;
  private final HeapTables heaps;
  private final KernelCall call;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   * @param keyKinds layout of each key column, the same in every batch
   */
  public GroupHashKernel(Backend backend, BufferAllocator allocator, List<PhysicalType> keyKinds) {
    this.keyKinds = List.copyOf(keyKinds);
    this.heaps = new HeapTables(backend, allocator);
    this.call =
        new KernelCall(
            backend,
            "group_hash",
            GroupAssignArgsLayout.SIZE_IN_BYTES,
            GroupAssignArgsLayout.STATUS_OFFSET);
  }

  /**
   * Hashes rows.
   *
   * @param keys key columns in their layouts, in kernel memory
   * @param rowCount rows of each
   * @param hashes receives a 64-bit hash per row, in kernel memory
   */
  public void hash(List<ColumnVector> keys, int rowCount, MemoryBuffer hashes) {
    try {
      ArgumentBlock arguments = call.arguments();
      GroupTable.fillKeys(arguments, keyKinds, heaps, keys);
      arguments.putLong(GroupAssignArgsLayout.SOURCE_KEYS_OFFSET, 0);
      arguments.putLong(GroupAssignArgsLayout.ROW_KEYS_OFFSET, hashes.address());
      arguments.putInt(GroupAssignArgsLayout.KEY_COUNT_OFFSET, keyKinds.size());
      arguments.putInt(GroupAssignArgsLayout.KEY_WORDS_OFFSET, GroupTable.keyWordsOf(keyKinds));
      arguments.putInt(GroupAssignArgsLayout.ROWS_OFFSET, rowCount);
      call.launch(rowCount);
    } finally {
      heaps.release();
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(call);
    closer.close(heaps);
    closer.rethrow();
  }
}
