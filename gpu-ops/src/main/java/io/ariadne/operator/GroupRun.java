package io.ariadne.operator;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.hash.GroupRows;

/**
 * Groups that a table has given up to make room: their keys and records as they are in tables,
 * sorted by partition. Immutable; where kernels see it. The same key may be in several runs, and
 * more than once in one.
 */
final class GroupRun implements AutoCloseable {
  private final MemoryBuffer keys;
  private final MemoryBuffer records;
  private final MemoryBuffer heap;
  private final int[] firstGroups;

  /**
   * Takes ownership of the buffers.
   *
   * @param keys normalised keys
   * @param records a record per group
   * @param heap bytes of long strings of the keys
   * @param firstGroups the first group of each partition, and at the end the number of groups
   */
  GroupRun(MemoryBuffer keys, MemoryBuffer records, MemoryBuffer heap, int[] firstGroups) {
    this.keys = keys;
    this.records = records;
    this.heap = heap;
    this.firstGroups = firstGroups;
  }

  /** Returns how many groups partitions have. */
  int groupCount(int firstPartition, int endPartition) {
    return firstGroups[endPartition] - firstGroups[firstPartition];
  }

  /** Returns the bytes that the keys of partitions take, with their part of the strings. */
  long keyBytes(int firstPartition, int endPartition) {
    return share(keys.capacityInBytes() + heap.capacityInBytes(), firstPartition, endPartition);
  }

  /** Returns the bytes of long strings of the keys of partitions, by their number of groups. */
  long stringBytes(int firstPartition, int endPartition) {
    return share(heap.capacityInBytes(), firstPartition, endPartition);
  }

  private long share(long bytes, int firstPartition, int endPartition) {
    double groups = groupCount(firstPartition, endPartition);
    return (long) (groups / Math.max(1, firstGroups[firstGroups.length - 1]) * bytes);
  }

  /** Returns the groups of partitions. */
  GroupRows groups(int firstPartition, int endPartition) {
    int count = groupCount(firstPartition, endPartition);
    return new GroupRows(keys, heap, firstGroups[firstPartition], count);
  }

  /** Returns the records of all groups. */
  MemoryBuffer records() {
    return records;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(keys);
    closer.close(records);
    closer.close(heap);
    closer.rethrow();
  }
}
