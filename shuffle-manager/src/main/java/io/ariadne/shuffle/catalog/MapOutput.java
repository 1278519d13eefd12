package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.spill.SpillableBatch;
import java.util.List;

/**
 * The blocks of one attempt of a map task. Owns the segments they lie in; freed when it is dropped
 * and nobody reads it any more. Thread-safe.
 */
final class MapOutput {
  /**
   * A block's place.
   *
   * @param segment the number of its segment
   * @param offset of its first byte there
   * @param lengthInBytes how many
   */
  record Block(int segment, long offset, long lengthInBytes) {}

  private final List<SpillableBatch> segments;
  private final Block[] blocks;
  private final int[] firstBlocks;
  private int leases;
  private boolean isDropped;

  /**
   * Creates an output.
   *
   * @param segments owned by this from now on
   * @param blocks in the order of partitions
   * @param firstBlocks the first block of each partition, and at the end the number of blocks
   */
  MapOutput(List<SpillableBatch> segments, Block[] blocks, int[] firstBlocks) {
    this.segments = List.copyOf(segments);
    this.blocks = blocks;
    this.firstBlocks = firstBlocks;
  }

  int firstBlock(int partition) {
    return firstBlocks[partition];
  }

  Block block(int index) {
    return blocks[index];
  }

  SpillableBatch segment(int number) {
    return segments.get(number);
  }

  /** Keeps the segments until {@link #endLease}; the caller knows that this is not dropped. */
  synchronized void lease() {
    leases++;
  }

  void endLease() {
    synchronized (this) {
      leases--;
    }
    closeIfUnused();
  }

  /** Frees the segments when the last lease has ended. Called once. */
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
    segments.forEach(closer::close);
    closer.rethrow();
  }
}
