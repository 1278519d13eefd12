package io.ariadne.kernel.hash;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.GroupPartitionArgsLayout;
import io.ariadne.kernel.abi.PartitionLimit;
import io.ariadne.kernel.abi.PartitionPhase;

/**
 * Sorts the groups of tables by some bits of their hashes. Each level uses other bits: a level
 * divides the groups of one partition of the previous level. Used by one thread at a time. The
 * kernel is {@code hash/group_partition.cuh}.
 */
public final class GroupPartitionKernel implements AutoCloseable {
  /** Bits of the hash that number a partition. */
  public static final int BITS = PartitionLimit.PARTITION_MAX_BITS;

  /** How many partitions there are. */
  public static final int PARTITIONS = 1 << BITS;

  /** The last level; it uses the last bits. */
  public static final int LAST_LEVEL = Long.SIZE / BITS - 1;

  /** How many bytes to read from the back end at a time. */
  private static final long PORTION_BYTES = 1 << 20;

  private static final String KERNEL_NAME = "group_partition";

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelCall call;
  private final ArgumentBlock arguments;

  /**
   * The groups to sort, and where they go.
   *
   * @param keys normalised keys of the groups
   * @param keyWords 64-bit words of each
   * @param records a record per group
   * @param recordWords 64-bit words of each, an even number
   * @param first the first group
   * @param count how many groups
   * @param sortedKeys receives the keys
   * @param sortedRecords receives the records
   */
  public record Groups(
      MemoryBuffer keys,
      int keyWords,
      MemoryBuffer records,
      int recordWords,
      int first,
      int count,
      MemoryBuffer sortedKeys,
      MemoryBuffer sortedRecords) {
    private long keysAddress() {
      return keys.address() + first * keyBytes();
    }

    private long recordsAddress() {
      return records.address() + (long) first * recordWords * Long.BYTES;
    }

    private long keyBytes() {
      return (long) keyWords * Long.BYTES;
    }
  }

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier, for scratch
   */
  public GroupPartitionKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.call =
        new KernelCall(
            backend,
            KERNEL_NAME,
            GroupPartitionArgsLayout.SIZE_IN_BYTES,
            GroupPartitionArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /**
   * Sorts groups by the first bits of their hashes.
   *
   * @param groups the groups, and where they go
   * @return the first group of each partition, then the number of groups
   */
  public int[] sort(Groups groups) {
    return sort(groups, 0, null);
  }

  /**
   * Sorts groups.
   *
   * @param groups the groups, and where they go
   * @param level which bits, at most {@link #LAST_LEVEL}
   * @param places receives the new number of each group; null when the caller does not need them
   * @return the first group of each partition, then the number of groups
   */
  public int[] sort(Groups groups, int level, int[] places) {
    long countBytes = (PARTITIONS + 1L) * Integer.BYTES;
    long rankBytes = backend.isBlockParallel() ? (long) groups.count() * Integer.BYTES : 1;
    try (MemoryBuffer counts = allocator.allocate(countBytes);
        MemoryBuffer ranks = allocator.allocate(rankBytes)) {
      backend.clear(counts, 0, countBytes);
      fill(groups, counts, ranks);
      arguments.putInt(GroupPartitionArgsLayout.SKIP_OFFSET, level * BITS);
      int last =
          backend.isBlockParallel() ? PartitionPhase.PARTITION_COPY : PartitionPhase.PARTITION_RANK;
      for (int phase = PartitionPhase.PARTITION_RANK; phase <= last; phase++) {
        arguments.putInt(GroupPartitionArgsLayout.PHASE_OFFSET, phase);
        call.launch(groups.count());
      }
      int[] firstGroups = read(counts, countBytes);
      if (places != null) {
        findPlaces(groups, level, firstGroups, ranks, places);
      }
      return firstGroups;
    }
  }

  /**
   * Computes the places of groups. On the host groups keep their order within a partition; on a GPU
   * they are placed by their ranks.
   */
  private void findPlaces(
      Groups groups, int level, int[] firstGroups, MemoryBuffer ranks, int[] places) {
    long stride = groups.keyBytes();
    int portion = (int) Math.max(1, PORTION_BYTES / (stride + Integer.BYTES));
    int shift = Long.SIZE - BITS * (level + 1);
    boolean areRanked = backend.isBlockParallel();
    int[] next = firstGroups.clone();
    long host = Memory.allocate(portion * (stride + Integer.BYTES));
    try {
      long hostRanks = host + portion * stride;
      for (int first = 0; first < groups.count(); first += portion) {
        int count = Math.min(portion, groups.count() - first);
        backend.read(groups.keys(), (groups.first() + first) * stride, host, count * stride);
        if (areRanked) {
          backend.read(
              ranks, (long) first * Integer.BYTES, hostRanks, (long) count * Integer.BYTES);
        }
        for (int i = 0; i < count; i++) {
          int partition = (int) (Memory.getLong(host + i * stride) >>> shift) & (PARTITIONS - 1);
          places[first + i] =
              areRanked
                  ? firstGroups[partition] + Memory.getInt(hostRanks + (long) i * Integer.BYTES)
                  : next[partition]++;
        }
      }
    } finally {
      Memory.free(host);
    }
  }

  private void fill(Groups groups, MemoryBuffer counts, MemoryBuffer ranks) {
    arguments.putLong(GroupPartitionArgsLayout.GROUP_KEYS_OFFSET, groups.keysAddress());
    arguments.putLong(GroupPartitionArgsLayout.RECORDS_OFFSET, groups.recordsAddress());
    arguments.putLong(GroupPartitionArgsLayout.SORTED_KEYS_OFFSET, groups.sortedKeys().address());
    arguments.putLong(
        GroupPartitionArgsLayout.SORTED_RECORDS_OFFSET, groups.sortedRecords().address());
    arguments.putLong(GroupPartitionArgsLayout.FIRST_GROUPS_OFFSET, counts.address());
    arguments.putLong(GroupPartitionArgsLayout.RANKS_OFFSET, ranks.address());
    arguments.putInt(GroupPartitionArgsLayout.GROUPS_OFFSET, groups.count());
    arguments.putInt(GroupPartitionArgsLayout.KEY_WORDS_OFFSET, groups.keyWords());
    arguments.putInt(GroupPartitionArgsLayout.RECORD_WORDS_OFFSET, groups.recordWords());
    arguments.putInt(GroupPartitionArgsLayout.BITS_OFFSET, BITS);
  }

  private int[] read(MemoryBuffer counts, long countBytes) {
    try (ArgumentBlock host = new ArgumentBlock(Math.toIntExact(countBytes))) {
      backend.read(counts, 0, host.address(), countBytes);
      int[] firstGroups = new int[PARTITIONS + 1];
      for (int i = 0; i <= PARTITIONS; i++) {
        firstGroups[i] = host.getInt(i * Integer.BYTES);
      }
      return firstGroups;
    }
  }

  @Override
  public void close() {
    call.close();
  }
}
