package io.ariadne.kernel.hash;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.CodesKeyLayout;
import io.ariadne.kernel.abi.CodesPhase;
import io.ariadne.kernel.abi.GroupCodesArgsLayout;
import java.util.List;

/**
 * Groups rows by the codes of their keys. The number of a combination is the sum over the keys of
 * code times the product of (entries + 1) of the keys before; a null counts as code {@code
 * entries}. Used by one thread at a time. The kernel is {@code hash/group_codes.cuh}.
 */
public final class GroupCodesKernel implements AutoCloseable {
  /** The group number of a combination without a group. */
  public static final int UNKNOWN = -1;

  private static final String KERNEL_NAME = "group_codes";

  private final KernelCall call;
  private final ArgumentBlock arguments;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   */
  public GroupCodesKernel(Backend backend) {
    this.call =
        new KernelCall(
            backend,
            KERNEL_NAME,
            GroupCodesArgsLayout.SIZE_IN_BYTES,
            GroupCodesArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /**
   * Numbers the combinations of rows.
   *
   * @param keys dictionary columns, at least one, whose codes kernels see
   * @param rowCount rows of each
   * @param places receives a 32-bit number per row
   */
  public void place(List<ColumnVector> keys, int rowCount, MemoryBuffer places) {
    int stride = 1;
    for (int k = 0; k < keys.size(); k++) {
      ColumnVector key = keys.get(k);
      int offset = GroupCodesArgsLayout.KEYS_OFFSET + k * GroupCodesArgsLayout.KEYS_STRIDE;
      int entries = key.dictionary().entryCount();
      long validity = key.mayHaveNulls() ? key.validity().address() : 0;
      arguments.putLong(offset + CodesKeyLayout.CODES_OFFSET, key.data().address());
      arguments.putLong(offset + CodesKeyLayout.VALIDITY_OFFSET, validity);
      arguments.putInt(offset + CodesKeyLayout.ENTRIES_OFFSET, entries);
      arguments.putInt(offset + CodesKeyLayout.STRIDE_OFFSET, stride);
      stride *= entries + 1;
    }
    arguments.putInt(GroupCodesArgsLayout.KEY_COUNT_OFFSET, keys.size());
    arguments.putLong(GroupCodesArgsLayout.PLACES_OFFSET, places.address());
    launch(CodesPhase.CODES_PLACE, 0, rowCount);
  }

  /**
   * Looks up the groups of the combinations of rows.
   *
   * @param places the combinations, as {@link #place} writes them
   * @param groupOf the group of each combination or {@link #UNKNOWN}, 32 bits
   * @param firstRow the first row
   * @param rowCount the row after the last one
   * @param groupIds receives a 32-bit number per row
   * @return the first row whose combination has no group; {@code groupIds} is undefined from there
   *     on; {@code rowCount} when all combinations have a group
   */
  public int resolve(
      MemoryBuffer places,
      MemoryBuffer groupOf,
      int firstRow,
      int rowCount,
      MemoryBuffer groupIds) {
    arguments.putLong(GroupCodesArgsLayout.PLACES_OFFSET, places.address());
    arguments.putLong(GroupCodesArgsLayout.GROUP_OF_OFFSET, groupOf.address());
    arguments.putLong(GroupCodesArgsLayout.GROUP_IDS_OFFSET, groupIds.address());
    launch(CodesPhase.CODES_RESOLVE, firstRow, rowCount);
    return rowCount - Math.toIntExact(call.status().detail(0));
  }

  private void launch(int phase, int firstRow, int rowCount) {
    arguments.putInt(GroupCodesArgsLayout.PHASE_OFFSET, phase);
    arguments.putInt(GroupCodesArgsLayout.FIRST_ROW_OFFSET, firstRow);
    arguments.putInt(GroupCodesArgsLayout.ROWS_OFFSET, rowCount);
    call.run(rowCount);
  }

  @Override
  public void close() {
    call.close();
  }
}
