package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.hash.GroupRows;

/**
 * Groups that a {@link BridgedTable} has put away: their keys as they are in tables, where kernels
 * see them, and their buffers as columns of the host, both sorted by partition. Each key is there
 * once. Immutable.
 */
final class BridgedRun implements AutoCloseable {
  private final MemoryBuffer keys;
  private final MemoryBuffer keyHeap;
  private final RecordBatch buffers;
  private final int[] firstGroups;
  private final long heapBytes;

  /**
   * Takes ownership of buffers and batch.
   *
   * @param keys normalised keys
   * @param keyHeap bytes of long strings of the keys
   * @param buffers a row per group
   * @param firstGroups the first group of each partition, and at the end the number of groups
   * @param heapBytes what the groups took of the JVM's heap
   */
  BridgedRun(
      MemoryBuffer keys,
      MemoryBuffer keyHeap,
      RecordBatch buffers,
      int[] firstGroups,
      long heapBytes) {
    this.keys = keys;
    this.keyHeap = keyHeap;
    this.buffers = buffers;
    this.firstGroups = firstGroups;
    this.heapBytes = heapBytes;
  }

  /** Returns the keys of the groups of partitions. */
  GroupRows groups(int firstPartition, int endPartition) {
    int first = firstGroups[firstPartition];
    return new GroupRows(keys, keyHeap, first, firstGroups[endPartition] - first);
  }

  /** Returns the buffers of all groups. */
  RecordBatch buffers() {
    return buffers;
  }

  /** Returns what groups of partitions took of the JVM's heap, by their number. */
  long heapBytes(int firstPartition, int endPartition) {
    double groups = firstGroups[endPartition] - firstGroups[firstPartition];
    return (long) (groups / Math.max(1, buffers.rowCount()) * heapBytes);
  }

  /** Returns the bytes of all keys. */
  long keyBytes() {
    return keys.capacityInBytes() + keyHeap.capacityInBytes();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(keys);
    closer.close(keyHeap);
    closer.close(buffers);
    closer.rethrow();
  }
}
