package io.ariadne.operator;

import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.kernel.hash.GroupRows;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;

/**
 * Groups that a table has given up to make room: their keys and records as they are in tables,
 * sorted by partition. Immutable. The same key may be in several runs, and more than once in one.
 * While nobody reads it a run may leave memory; it comes back as a whole. Thread-safe.
 */
final class GroupRun implements AutoCloseable {
  private final OperatorContext context;
  private final SpillableBatch content;
  private final int[] firstGroups;
  private final long keyBytes;
  private final long stringBytes;
  private final long bytes;

  /**
   * Takes ownership of the buffers.
   *
   * @param buffers the groups
   * @param firstGroups the first group of each partition, and at the end the number of groups
   * @param context where they are kept
   */
  GroupRun(GroupBuffers buffers, int[] firstGroups, OperatorContext context) {
    this.context = context;
    this.firstGroups = firstGroups;
    this.stringBytes = buffers.stringBytes();
    this.keyBytes = buffers.keys().capacityInBytes() + stringBytes;
    this.bytes = keyBytes + buffers.records().capacityInBytes();
    // Partitions are read in their order: the last ones are needed last.
    SpillPlacement placement =
        SpillPlacement.at(GroupPartitionKernel.PARTITIONS + firstPartition(), true);
    this.content =
        context.kernelSpill().add(buffers.carried(firstGroups[firstGroups.length - 1]), placement);
  }

  private int firstPartition() {
    int first = 0;
    while (first < firstGroups.length - 2 && firstGroups[first + 1] == 0) {
      first++;
    }
    return first;
  }

  /** Returns how many groups partitions have. */
  int groupCount(int firstPartition, int endPartition) {
    return firstGroups[endPartition] - firstGroups[firstPartition];
  }

  /** Returns the bytes that the keys of partitions take, with their part of all strings. */
  long keyBytes(int firstPartition, int endPartition) {
    return share(keyBytes, firstPartition, endPartition);
  }

  /** Returns the bytes of long strings of partitions, by their number of groups. */
  long stringBytes(int firstPartition, int endPartition) {
    return share(stringBytes, firstPartition, endPartition);
  }

  private long share(long whole, int firstPartition, int endPartition) {
    double groups = groupCount(firstPartition, endPartition);
    return (long) (groups / Math.max(1, firstGroups[firstGroups.length - 1]) * whole);
  }

  /** Returns the bytes that all of it takes in memory. */
  long bytes() {
    return bytes;
  }

  /** Returns whether it is in memory now. */
  boolean isInMemory() {
    return content.bytesToReadBack() == 0;
  }

  /**
   * Brings the run into memory, where it stays until the reading is closed.
   *
   * @return to be closed by the caller
   */
  Reading open() {
    return new Reading(GroupBuffers.of(content.read(context.kernelAllocator())));
  }

  /** A run in memory, where kernels see it. */
  final class Reading implements AutoCloseable {
    private final GroupBuffers buffers;

    private Reading(GroupBuffers buffers) {
      this.buffers = buffers;
    }

    /** Returns the groups of partitions. */
    GroupRows groups(int firstPartition, int endPartition) {
      int count = groupCount(firstPartition, endPartition);
      return new GroupRows(buffers.keys(), buffers.heap(), firstGroups[firstPartition], count);
    }

    /** Returns the buffers of all groups, owned by the run. */
    GroupBuffers buffers() {
      return buffers;
    }

    @Override
    public void close() {
      content.unread();
    }
  }

  @Override
  public void close() {
    content.close();
  }
}
