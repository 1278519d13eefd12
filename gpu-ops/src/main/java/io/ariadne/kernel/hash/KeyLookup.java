package io.ariadne.kernel.hash;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/** Looks up the groups of keys. Used by one thread at a time. */
public interface KeyLookup extends AutoCloseable {
  /**
   * Finds the groups of rows.
   *
   * @param keys key columns in the layouts of the groups' keys, in kernel memory
   * @param rowCount rows of each
   * @param groupIds receives a 32-bit number per row: the group, or a constant of {@link
   *     io.ariadne.kernel.abi.GroupMissing}
   */
  void find(List<ColumnVector> keys, int rowCount, MemoryBuffer groupIds);

  @Override
  void close();
}
