package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.buffer.Closer;
import java.util.List;

/**
 * The rows of one attempt of a map task. Owns spillable batches with the rows; frees them when it
 * is dropped and has no readers. Thread-safe.
 */
final class MapOutput {
  private final List<MapOutputBatch> batches;
  private final int partitions;
  private final int firstPartition;
  private int leases;
  private boolean isDropped;

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

  /** Keeps the batches until {@link #endLease}. The caller knows that this is not dropped. */
  synchronized void lease() {
    leases++;
  }

  void endLease() {
    synchronized (this) {
      leases--;
    }
    closeIfUnused();
  }

  /** Frees the batches when the last lease has ended. Called once. */
  void drop() {
    synchronized (this) {
      isDropped = true;
    }
    closeIfUnused();
  }

  private void closeIfUnused() {
    synchronized (this) {
      if (!isDropped || leases > 0) {
        return;
      }
    }
    Closer closer = new Closer();
    batches.forEach(batch -> closer.close(batch::free));
    closer.rethrow();
  }
}
