package io.ariadne.shuffle.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The rows of one attempt of a map task. Owns spillable batches with the rows; frees them when it
 * is dropped and has no readers. Thread-safe.
 */
final class MapOutput extends Leased {
  private final List<MapOutputBatch> batches;
  private final int partitions;
  private final int firstPartition;

  /** Places whose rows are elsewhere. */
  @GuardedBy("this")
  private final BitSet released = new BitSet();

  /**
   * Creates an output.
   *
   * @param batches ownership passes to this object; rows of a partition are in their order
   * @param partitions the number of partitions
   * @param firstPartition the partition whose rows have place 0; the next places are those of the
   *     next partitions, and after the last partition those from partition 0
   */
  MapOutput(List<MapOutputBatch> batches, int partitions, int firstPartition) {
    this.batches = List.copyOf(batches);
    this.partitions = partitions;
    this.firstPartition = firstPartition;
  }

  List<MapOutputBatch> batches() {
    return batches;
  }

  /**
   * Returns the places of consecutive partitions as ranges: the first place, and the one behind the
   * last.
   *
   * @throws IndexOutOfBoundsException when there are no such partitions
   */
  List<int[]> places(int first, int end) {
    if (first < 0 || end < first || end > partitions) {
      throw new IndexOutOfBoundsException("partitions from " + first + " to " + end);
    }
    int count = end - first;
    int from = count == partitions ? 0 : Math.floorMod(first - firstPartition, partitions);
    int behind = from + count - partitions;
    return behind <= 0
        ? List.of(new int[] {from, from + count})
        : List.of(new int[] {from, partitions}, new int[] {0, behind});
  }

  /**
   * Returns whether no rows of consecutive partitions were released.
   *
   * @throws IndexOutOfBoundsException when there are no such partitions
   */
  synchronized boolean has(int first, int end) {
    for (int[] range : places(first, end)) {
      int next = released.nextSetBit(range[0]);
      if (next >= 0 && next < range[1]) {
        return false;
      }
    }
    return true;
  }

  /** Leases the batches if this {@link #has} all rows of consecutive partitions. */
  synchronized boolean leaseRows(int first, int end) {
    boolean has = has(first, end);
    if (has) {
      lease();
    }
    return has;
  }

  /**
   * Gives the rows of consecutive partitions up. Readers keep them until they are closed; the
   * caller then calls {@link #clean}.
   *
   * @throws IndexOutOfBoundsException when there are no such partitions
   */
  void release(int first, int end) {
    List<int[]> unneeded = places(first, end);
    synchronized (this) {
      unneeded.forEach(range -> released.set(range[0], range[1]));
    }
  }

  @Override
  void freeReleased() {
    List<MapOutputBatch> unneeded = new ArrayList<>();
    synchronized (this) {
      if (released.isEmpty()) {
        return;
      }
      for (MapOutputBatch batch : batches) {
        if (isReleased(batch)) {
          unneeded.add(batch);
        }
      }
    }
    free(unneeded);
  }

  @GuardedBy("this")
  private boolean isReleased(MapOutputBatch batch) {
    int place = released.nextClearBit(batch.firstPlace());
    while (place < batch.endPlace() && batch.firstRow(place) == batch.firstRow(place + 1)) {
      place = released.nextClearBit(place + 1);
    }
    return place >= batch.endPlace();
  }

  @Override
  void freeAll() {
    free(batches);
  }

  private static void free(List<MapOutputBatch> batches) {
    Closer closer = new Closer();
    batches.forEach(batch -> closer.close(batch::free));
    closer.rethrow();
  }
}
