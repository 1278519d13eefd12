package io.ariadne.operator.aggregate;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.kernel.hash.GroupSlice;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.Arrays;

/**
 * Groups that a table has moved out, sorted by partition. Keys and records are as they are in
 * tables. The same key may be in several runs, and more than once in one run. Immutable. A run that
 * no thread reads may be spilled; {@link #open} reads it back as a whole. Thread-safe.
 */
final class GroupRun implements AutoCloseable {
  private final OperatorContext context;
  private final SpillableBatch content;

  /** The lists that the groups collected; null when there are none. */
  private final SpillableBatch lists;

  /** The first partition that has groups. */
  private final int firstPartition;

  /** The first group of each partition from that one on, then the number of groups. */
  private final int[] firstGroups;

  private final long keyBytes;
  private final long stringBytes;
  private final long bytes;

  /**
   * Takes ownership of the buffers and the batch.
   *
   * @param buffers the groups, at least one
   * @param collected their lists, made by {@link ListTable#take}, or null
   * @param firstGroups the first group of each partition, then the number of groups
   * @param context spills the run
   */
  GroupRun(
      GroupBuffers buffers, RecordBatch collected, int[] firstGroups, OperatorContext context) {
    this.context = context;
    int count = firstGroups[firstGroups.length - 1];
    int first = 0;
    while (firstGroups[first + 1] == 0) {
      first++;
    }
    int end = firstGroups.length - 1;
    while (firstGroups[end - 1] == count) {
      end--;
    }
    this.firstPartition = first;
    this.firstGroups = Arrays.copyOfRange(firstGroups, first, end + 1);
    this.stringBytes = buffers.stringBytes() + (collected == null ? 0 : collected.sizeInBytes());
    this.keyBytes = buffers.keys().capacityInBytes() + stringBytes;
    this.bytes = keyBytes + buffers.records().capacityInBytes();
    // Partitions are read in their order: the last ones are needed last.
    SpillPlacement placement = SpillPlacement.at(GroupPartitionKernel.PARTITIONS + first, true);
    this.content = context.kernelSpill().add(buffers.carried(count), placement);
    this.lists = collected == null ? null : context.spill().add(collected, placement);
  }

  private int firstGroup(int partition) {
    int place = partition - firstPartition;
    return firstGroups[Math.max(0, Math.min(firstGroups.length - 1, place))];
  }

  /** Returns how many groups a range of partitions has. */
  int groupCount(int firstPartition, int endPartition) {
    return firstGroup(endPartition) - firstGroup(firstPartition);
  }

  /**
   * Returns the bytes that the keys of a range of partitions take, with their share of all strings.
   */
  long keyBytes(int firstPartition, int endPartition) {
    return share(keyBytes, firstPartition, endPartition);
  }

  /**
   * Returns the share of a range of partitions, by its number of groups, in the bytes of long
   * strings and lists.
   */
  long stringBytes(int firstPartition, int endPartition) {
    return share(stringBytes, firstPartition, endPartition);
  }

  private long share(long whole, int firstPartition, int endPartition) {
    double groups = groupCount(firstPartition, endPartition);
    return (long) (groups / Math.max(1, firstGroups[firstGroups.length - 1]) * whole);
  }

  /** Returns the bytes of the whole run in memory. */
  long bytes() {
    return bytes;
  }

  /** Returns whether the run is in memory now. */
  boolean isInMemory() {
    return content.bytesToReadBack() == 0 && (lists == null || lists.bytesToReadBack() == 0);
  }

  /** Asks for the run to be read back ahead of its use. */
  void prefetch() {
    content.prefetch();
    if (lists != null) {
      lists.prefetch();
    }
  }

  /**
   * Reads the run back into memory, where it stays until the reading is closed.
   *
   * @return a reading, to be closed by the caller
   */
  Reading open() {
    RecordBatch carrier = content.read(context.kernelAllocator());
    try {
      return new Reading(
          GroupBuffers.of(carrier), lists == null ? null : lists.read(context.allocator()));
    } catch (RuntimeException | Error e) {
      content.unread();
      throw e;
    }
  }

  /** A run in kernel memory. */
  final class Reading implements AutoCloseable {
    private final GroupBuffers buffers;
    private final RecordBatch collected;

    private Reading(GroupBuffers buffers, RecordBatch collected) {
      this.buffers = buffers;
      this.collected = collected;
    }

    /** Returns the groups of a range of partitions. */
    GroupSlice groups(int firstPartition, int endPartition) {
      int count = groupCount(firstPartition, endPartition);
      return new GroupSlice(buffers.keys(), buffers.heap(), firstGroup(firstPartition), count);
    }

    /** Returns the buffers of all groups, owned by the run. */
    GroupBuffers buffers() {
      return buffers;
    }

    /** Returns the lists of all groups, owned by the run; null when there are none. */
    RecordBatch lists() {
      return collected;
    }

    @Override
    public void close() {
      Closer closer = new Closer();
      closer.close(content::unread);
      if (lists != null) {
        closer.close(lists::unread);
      }
      closer.rethrow();
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(content);
    closer.close(lists);
    closer.rethrow();
  }
}
