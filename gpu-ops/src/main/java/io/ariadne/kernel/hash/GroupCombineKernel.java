package io.ariadne.kernel.hash;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.CombineLimit;
import io.ariadne.kernel.abi.GroupCombineArgsLayout;
import io.ariadne.kernel.tile.AccumulatorKind;
import java.util.List;

/**
 * Adds records of accumulators to the records of other groups. Used by one thread at a time. The
 * kernel is {@code aggregate/group_combine.cuh}.
 */
public final class GroupCombineKernel implements AutoCloseable {
  private static final String KERNEL_NAME = "group_combine";

  private final KernelCall call;
  private final ArgumentBlock arguments;
  private final List<AccumulatorKind> kinds;
  private final List<Integer> offsets;
  private final int stride;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param kinds the accumulators of a record
   * @param offsets bytes of each from the start of a record
   * @param stride bytes of a record, a multiple of 16
   */
  public GroupCombineKernel(
      Backend backend, List<AccumulatorKind> kinds, List<Integer> offsets, int stride) {
    this.kinds = List.copyOf(kinds);
    this.offsets = List.copyOf(offsets);
    this.stride = stride;
    this.call =
        new KernelCall(
            backend,
            KERNEL_NAME,
            GroupCombineArgsLayout.SIZE_IN_BYTES,
            GroupCombineArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
    arguments.putInt(GroupCombineArgsLayout.STRIDE_OFFSET, stride);
  }

  /**
   * Combines consecutive records with the records of groups.
   *
   * @param groupIds the group of each record, 32 bits, less than the number of records in {@code
   *     target}
   * @param source the records
   * @param firstRecord the number of the first one in {@code source}
   * @param count how many
   * @param target the records of the groups
   */
  public void combine(
      MemoryBuffer groupIds,
      MemoryBuffer source,
      long firstRecord,
      int count,
      MemoryBuffer target) {
    arguments.putLong(GroupCombineArgsLayout.GROUP_IDS_OFFSET, groupIds.address());
    arguments.putLong(
        GroupCombineArgsLayout.SOURCE_OFFSET, source.address() + firstRecord * stride);
    arguments.putLong(GroupCombineArgsLayout.TARGET_OFFSET, target.address());
    arguments.putInt(GroupCombineArgsLayout.ROWS_OFFSET, count);
    call.begin();
    for (int first = 0; first < kinds.size(); first += CombineLimit.COMBINE_MAX_ACCUMULATORS) {
      fillAccumulators(first);
      call.launch(count);
    }
    call.await();
  }

  private void fillAccumulators(int first) {
    int count = Math.min(CombineLimit.COMBINE_MAX_ACCUMULATORS, kinds.size() - first);
    for (int i = 0; i < count; i++) {
      int at = i * Integer.BYTES;
      int opcode = kinds.get(first + i).opcode().code();
      arguments.putInt(GroupCombineArgsLayout.OFFSETS_OFFSET + at, offsets.get(first + i));
      arguments.putInt(GroupCombineArgsLayout.KINDS_OFFSET + at, opcode);
    }
    arguments.putInt(GroupCombineArgsLayout.ACCUMULATOR_COUNT_OFFSET, count);
  }

  @Override
  public void close() {
    call.close();
  }
}
