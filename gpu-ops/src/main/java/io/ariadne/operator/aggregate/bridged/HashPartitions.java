package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.operator.OperatorContext;

/**
 * Sorts the groups of a table by some bits of their hashes. Each level uses other bits: a level
 * divides the groups of one partition of the previous level.
 */
final class HashPartitions {
  /** Partitions of a level. */
  static final int COUNT = 256;

  /** The last level; it uses the last bits. */
  static final int LAST_LEVEL = 7;

  private static final int BITS = 8;

  private final int[] firstGroups = new int[COUNT + 1];
  private final int[] order;
  private final int keyWords;

  private HashPartitions(int groupCount, int keyWords) {
    this.order = new int[groupCount];
    this.keyWords = keyWords;
  }

  /**
   * Groups in the order of their partitions.
   *
   * @param order the groups
   * @param firstGroups where each partition starts, then the number of groups
   * @param keys the keys in that order, in kernel memory
   */
  record Sorted(int[] order, int[] firstGroups, MemoryBuffer keys) {}

  /**
   * Sorts the groups of a table; within a partition they keep their order.
   *
   * @param table with at least one group
   * @param level which bits
   * @param context allocates the keys
   * @return the groups in their new order, with their keys owned by the caller
   */
  static Sorted sort(GroupTable table, int level, OperatorContext context) {
    boolean isOnHost = context.backend().tier() == MemoryTier.HOST;
    MemoryBuffer copy = isOnHost ? null : context.transfer().copyToHost(table.groupKeys());
    try {
      long keys = (copy == null ? table.groupKeys() : copy).address();
      HashPartitions partitions = new HashPartitions(table.groupCount(), table.keyWords());
      partitions.order(keys, Long.SIZE - BITS * (level + 1));
      MemoryBuffer sorted = partitions.sortedKeys(keys, context);
      return new Sorted(partitions.order, partitions.firstGroups, sorted);
    } finally {
      if (copy != null) {
        copy.close();
      }
    }
  }

  private void order(long keys, int shift) {
    long stride = (long) keyWords * Long.BYTES;
    for (int group = 0; group < order.length; group++) {
      firstGroups[partition(keys + group * stride, shift) + 1]++;
    }
    for (int i = 0; i < COUNT; i++) {
      firstGroups[i + 1] += firstGroups[i];
    }
    int[] next = firstGroups.clone();
    for (int group = 0; group < order.length; group++) {
      order[next[partition(keys + group * stride, shift)]++] = group;
    }
  }

  private static int partition(long key, int shift) {
    return (int) (Memory.getLong(key) >>> shift) & (COUNT - 1);
  }

  private MemoryBuffer sortedKeys(long keys, OperatorContext context) {
    long stride = (long) keyWords * Long.BYTES;
    MemoryBuffer sorted = context.allocator().allocate(order.length * stride);
    for (int i = 0; i < order.length; i++) {
      Memory.copy(keys + order[i] * stride, sorted.address() + i * stride, stride);
    }
    if (context.backend().tier() == MemoryTier.HOST) {
      return sorted;
    }
    try (sorted) {
      return context.transfer().copyToKernels(sorted);
    }
  }
}
