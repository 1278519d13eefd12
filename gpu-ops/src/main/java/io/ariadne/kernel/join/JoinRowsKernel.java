package io.ariadne.kernel.join;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.JoinFlag;
import io.ariadne.kernel.abi.JoinPhase;
import io.ariadne.kernel.abi.JoinRowsArgsLayout;

/**
 * Pairs probe rows with build rows of the same group. Used by one thread at a time. The kernel is
 * {@code join/join_rows.cuh}.
 */
public final class JoinRowsKernel implements AutoCloseable {
  private static final String KERNEL_NAME = "join_rows";
  private static final int TILE_ROWS = 1024;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelCall call;
  private final ArgumentBlock arguments;
  private Counted counted;

  /** The inputs of the last count, whose pairs {@link #expand} lists. */
  private record Counted(
      MemoryBuffer groups, int rowCount, JoinChains chains, int flags, MemoryBuffer offsets) {}

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public JoinRowsKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.call =
        new KernelCall(
            backend,
            KERNEL_NAME,
            JoinRowsArgsLayout.SIZE_IN_BYTES,
            JoinRowsArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /**
   * Lists the rows of each group.
   *
   * @param groups a 32-bit group per row
   * @param rowCount rows, below 2^31
   * @param groupCount groups, at least one
   * @return the lists, owned by the caller
   */
  public JoinChains chains(MemoryBuffer groups, int rowCount, int groupCount) {
    MemoryBuffer starts = allocator.allocate((groupCount + 1L) * Integer.BYTES);
    MemoryBuffer rows = null;
    try {
      rows = allocator.allocate((long) rowCount * Integer.BYTES);
      fillChains(groups, rowCount, groupCount, new JoinChains(starts, rows));
      return new JoinChains(starts, rows);
    } catch (RuntimeException | Error e) {
      starts.close();
      if (rows != null) {
        rows.close();
      }
      throw e;
    }
  }

  private void fillChains(MemoryBuffer groups, int rowCount, int groupCount, JoinChains chains) {
    try (MemoryBuffer counts = allocator.allocate((long) groupCount * Integer.BYTES)) {
      backend.clear(counts, 0, counts.capacityInBytes());
      fillGroups(groups, rowCount, chains);
      arguments.putLong(JoinRowsArgsLayout.COUNTS_OFFSET, counts.address());
      arguments.putInt(JoinRowsArgsLayout.GROUP_COUNT_OFFSET, groupCount);
      launch(JoinPhase.JOIN_COUNT, rowCount);
      scan(JoinPhase.JOIN_STARTS, groupCount);
      launch(JoinPhase.JOIN_PLACE, rowCount);
    }
  }

  /**
   * Counts the pairs of probe rows.
   *
   * @param groups for each row a 32-bit group, or a constant of {@link
   *     io.ariadne.kernel.abi.GroupMissing}
   * @param rowCount rows, at least one
   * @param chains the build rows of each group; null when the number of a build row is its group
   * @param isOuter whether a row without a match gets a pair without a build row
   * @param offsets receives 64-bit numbers, one more than rows: how many pairs come before each row
   * @return the pairs of all rows
   */
  public long countPairs(
      MemoryBuffer groups, int rowCount, JoinChains chains, boolean isOuter, MemoryBuffer offsets) {
    counted = new Counted(groups, rowCount, chains, isOuter ? JoinFlag.JOIN_OUTER : 0, offsets);
    fillCounted();
    call.begin();
    scan(JoinPhase.JOIN_MATCHES, rowCount);
    call.await();
    return call.status().rowsOut();
  }

  /**
   * Lists pairs of the rows that were counted last, in order.
   *
   * @param firstPair the first pair
   * @param pairCount how many
   * @param probeRows receives a 32-bit row number per pair
   * @param buildRows receives a 32-bit row number per pair; {@link
   *     io.ariadne.kernel.abi.GatherIndex#GATHER_NULL_INDEX} where a row has no match
   */
  public void expand(
      long firstPair, int pairCount, MemoryBuffer probeRows, MemoryBuffer buildRows) {
    fillCounted();
    arguments.putLong(JoinRowsArgsLayout.FIRST_PAIR_OFFSET, firstPair);
    arguments.putInt(JoinRowsArgsLayout.PAIR_COUNT_OFFSET, pairCount);
    arguments.putLong(JoinRowsArgsLayout.PROBE_INDEX_OFFSET, probeRows.address());
    arguments.putLong(JoinRowsArgsLayout.BUILD_INDEX_OFFSET, buildRows.address());
    launch(JoinPhase.JOIN_EXPAND, pairCount);
  }

  /**
   * Sets the bits of rows that have a match.
   *
   * @param groups as for {@link #countPairs}
   * @param rowCount rows
   * @param doNullsMatch whether a row with a null key counts as a row with a match
   * @param bits the bits, in whole 64-bit words; set bits stay set
   */
  public void flag(MemoryBuffer groups, int rowCount, boolean doNullsMatch, MemoryBuffer bits) {
    fillGroups(groups, rowCount, null);
    arguments.putInt(JoinRowsArgsLayout.FLAGS_OFFSET, doNullsMatch ? JoinFlag.JOIN_NULLS_MATCH : 0);
    arguments.putLong(JoinRowsArgsLayout.BITS_OFFSET, bits.address());
    launch(JoinPhase.JOIN_FLAG, rowCount);
  }

  /**
   * Sets the bits of listed rows.
   *
   * @param list 32-bit row numbers; numbers that are not rows are skipped
   * @param count how many
   * @param rowCount rows that have bits
   * @param bits the bits; set bits stay set
   */
  public void mark(MemoryBuffer list, int count, int rowCount, MemoryBuffer bits) {
    arguments.putLong(JoinRowsArgsLayout.PROBE_INDEX_OFFSET, list.address());
    arguments.putInt(JoinRowsArgsLayout.PAIR_COUNT_OFFSET, count);
    arguments.putInt(JoinRowsArgsLayout.ROWS_OFFSET, rowCount);
    arguments.putLong(JoinRowsArgsLayout.BITS_OFFSET, bits.address());
    launch(JoinPhase.JOIN_MARK, count);
  }

  /**
   * Inverts bits.
   *
   * @param bits the bits; those after the last row become zero
   * @param rowCount rows that have bits
   */
  public void invert(MemoryBuffer bits, int rowCount) {
    arguments.putInt(JoinRowsArgsLayout.ROWS_OFFSET, rowCount);
    arguments.putLong(JoinRowsArgsLayout.BITS_OFFSET, bits.address());
    launch(JoinPhase.JOIN_INVERT, rowCount);
  }

  private void fillCounted() {
    fillGroups(counted.groups(), counted.rowCount(), counted.chains());
    arguments.putLong(JoinRowsArgsLayout.OFFSETS_OFFSET, counted.offsets().address());
    arguments.putInt(JoinRowsArgsLayout.FLAGS_OFFSET, counted.flags());
  }

  private void fillGroups(MemoryBuffer groups, int rowCount, JoinChains chains) {
    arguments.putLong(JoinRowsArgsLayout.GROUPS_OFFSET, groups.address());
    arguments.putInt(JoinRowsArgsLayout.ROWS_OFFSET, rowCount);
    arguments.putLong(
        JoinRowsArgsLayout.STARTS_OFFSET, chains == null ? 0 : chains.starts().address());
    arguments.putLong(
        JoinRowsArgsLayout.BUILD_ROWS_OFFSET, chains == null ? 0 : chains.rows().address());
  }

  private void launch(int phase, int count) {
    arguments.putInt(JoinRowsArgsLayout.PHASE_OFFSET, phase);
    call.launch(count);
  }

  private void scan(int phase, int count) {
    if (!backend.isBlockParallel()) {
      launch(phase, count);
      return;
    }
    long words = 1 + (count + TILE_ROWS - 1L) / TILE_ROWS;
    try (MemoryBuffer workspace = allocator.allocate(words * Long.BYTES)) {
      backend.clear(workspace, 0, workspace.capacityInBytes());
      arguments.putLong(JoinRowsArgsLayout.WORKSPACE_OFFSET, workspace.address());
      launch(phase, count);
    }
  }

  @Override
  public void close() {
    call.close();
  }
}
