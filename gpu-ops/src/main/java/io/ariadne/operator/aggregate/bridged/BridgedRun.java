package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.hash.GroupSlice;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.List;

/**
 * Groups that a {@link BridgedTable} has moved out, sorted by partition: their keys as they are in
 * tables, in kernel memory, and their buffers as columns in host memory. Each key occurs once.
 * Immutable. A run that no thread reads may be spilled; {@link #open} reads it back as a whole.
 */
final class BridgedRun implements AutoCloseable {
  /** Runs are not needed before the end of the input. */
  private static final int DISTANCE = HashPartitions.COUNT;

  private static final Schema KEYS =
      new Schema(
          List.of(
              new Field("keys", PrimitiveType.INT64, false),
              new Field("heap", PrimitiveType.INT64, false)));

  private final OperatorContext context;

  /** Carries the keys and their heap; never read as columns. */
  private final SpillableBatch keys;

  private final SpillableBatch buffers;
  private final int[] firstGroups;
  private final long keyBytes;
  private final long heapBytes;

  /**
   * Takes ownership of the buffers and the batch.
   *
   * @param keys normalised keys
   * @param keyHeap bytes of long strings of the keys
   * @param buffers a row per group
   * @param firstGroups the first group of each partition, then the number of groups
   * @param heapBytes how much of the JVM's heap the groups took
   * @param context spills the run
   */
  BridgedRun(
      MemoryBuffer keys,
      MemoryBuffer keyHeap,
      RecordBatch buffers,
      int[] firstGroups,
      long heapBytes,
      OperatorContext context) {
    this.context = context;
    this.firstGroups = firstGroups;
    this.keyBytes = keys.capacityInBytes() + keyHeap.capacityInBytes();
    this.heapBytes = heapBytes;
    int rows = buffers.rowCount();
    RecordBatch carrier =
        new RecordBatch(KEYS, rows, List.of(carried(keys, rows), carried(keyHeap, rows)), 0);
    SpillPlacement placement = SpillPlacement.at(DISTANCE, true);
    this.keys = context.kernelSpill().add(carrier, placement);
    this.buffers = context.spill().add(buffers, placement);
  }

  private static ColumnVector carried(MemoryBuffer buffer, int rowCount) {
    return ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, rowCount, buffer, null);
  }

  /** Returns how many groups a range of partitions has. */
  int groupCount(int firstPartition, int endPartition) {
    return firstGroups[endPartition] - firstGroups[firstPartition];
  }

  /** Asks for the run to be read back ahead of its use. */
  void prefetch() {
    keys.prefetch();
    buffers.prefetch();
  }

  /**
   * Reads the run back into memory, where it stays until the reading is closed.
   *
   * @return a reading, to be closed by the caller
   */
  Reading open() {
    RecordBatch carrier = keys.read(context.kernelAllocator());
    try {
      return new Reading(carrier, buffers.read(context.allocator()));
    } catch (RuntimeException | Error e) {
      keys.unread();
      throw e;
    }
  }

  /** A run in memory. */
  final class Reading implements AutoCloseable {
    private final RecordBatch carrier;
    private final RecordBatch rows;

    private Reading(RecordBatch carrier, RecordBatch rows) {
      this.carrier = carrier;
      this.rows = rows;
    }

    /** Returns the keys of the groups of a range of partitions, in kernel memory. */
    GroupSlice groups(int firstPartition, int endPartition) {
      int count = groupCount(firstPartition, endPartition);
      MemoryBuffer heap = carrier.column(1).data();
      return new GroupSlice(carrier.column(0).data(), heap, firstGroups[firstPartition], count);
    }

    /** Returns the buffers of all groups, owned by the run. */
    RecordBatch buffers() {
      return rows;
    }

    @Override
    public void close() {
      Closer closer = new Closer();
      closer.close(keys::unread);
      closer.close(buffers::unread);
      closer.rethrow();
    }
  }

  /**
   * Returns the share of a range of partitions, by its number of groups, in the bytes of the JVM's
   * heap.
   */
  long heapBytes(int firstPartition, int endPartition) {
    double groups = groupCount(firstPartition, endPartition);
    return (long) (groups / Math.max(1, buffers.rowCount()) * heapBytes);
  }

  /** Returns the bytes of all keys. */
  long keyBytes() {
    return keyBytes;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(keys);
    closer.close(buffers);
    closer.rethrow();
  }
}
