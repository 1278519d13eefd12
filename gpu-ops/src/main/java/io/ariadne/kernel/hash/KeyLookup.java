package io.ariadne.kernel.hash;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/** Looks rows up among keys that have groups. Used by one thread at a time. */
public interface KeyLookup extends AutoCloseable {
  /**
   * Finds the groups of rows.
   *
   * @param keys key columns in the layouts of those that have groups, where kernels see them
   * @param rowCount rows of each
   * @param groupIds room for one 32-bit number per row; written: the group, or one of {@link
   *     io.ariadne.kernel.abi.GroupMissing}
   */
  void find(List<ColumnVector> keys, int rowCount, MemoryBuffer groupIds);

  @Override
  void close();
}
