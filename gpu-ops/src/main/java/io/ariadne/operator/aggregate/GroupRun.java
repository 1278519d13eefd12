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
 * Groups that a table has given up to make room: their keys and records as they are in tables,
 * sorted by partition. Immutable. The same key may be in several runs, and more than once in one.
 * While nobody reads it a run may leave memory; it comes back as a whole. Thread-safe.
 */
final class GroupRun implements AutoCloseable {
  private final OperatorContext context;
  private final SpillableBatch content;

  /** What the groups collected; null when that is nothing. */
  private final SpillableBatch lists;

  /** The first of its partitions that has groups. */
  private final int firstPartition;

  /** From that one on the first group of each, and the number of groups after the last. */
  private final int[] firstGroups;

  private final long keyBytes;
  private final long stringBytes;
  private final long bytes;

  /**
   * Takes ownership of the buffers and the batch.
   *
   * @param buffers the groups, at least one
   * @param collected what they collected, made by {@link ListTable#take}, or null
   * @param firstGroups the first group of each partition, and at the end the number of groups
   * @param context where they are kept
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

  /** Returns how many groups partitions have. */
  int groupCount(int firstPartition, int endPartition) {
    return firstGroup(endPartition) - firstGroup(firstPartition);
  }

  /** Returns the bytes that the keys of partitions take, with their part of all strings. */
  long keyBytes(int firstPartition, int endPartition) {
    return share(keyBytes, firstPartition, endPartition);
  }

  /** Returns the bytes of long strings and lists of partitions, by their number of groups. */
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
    return content.bytesToReadBack() == 0 && (lists == null || lists.bytesToReadBack() == 0);
  }

  /**
   * Brings the run into memory, where it stays until the reading is closed.
   *
   * @return to be closed by the caller
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

  /** A run in memory, where kernels see it. */
  final class Reading implements AutoCloseable {
    private final GroupBuffers buffers;
    private final RecordBatch collected;

    private Reading(GroupBuffers buffers, RecordBatch collected) {
      this.buffers = buffers;
      this.collected = collected;
    }

    /** Returns the groups of partitions. */
    GroupSlice groups(int firstPartition, int endPartition) {
      int count = groupCount(firstPartition, endPartition);
      return new GroupSlice(buffers.keys(), buffers.heap(), firstGroup(firstPartition), count);
    }

    /** Returns the buffers of all groups, owned by the run. */
    GroupBuffers buffers() {
      return buffers;
    }

    /** Returns what all groups of the run collected, owned by the run; null when nothing. */
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
