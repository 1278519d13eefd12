package io.ariadne.operator.sort;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.List;

/** A sorted run: spillable batches in order, with the key of each batch's first row. */
final class SortedRun implements AutoCloseable {
  private final List<SpillableBatch> batches = new ArrayList<>();
  private final List<RunPlacement> placements = new ArrayList<>();
  private final List<Object[]> firstKeys = new ArrayList<>();
  private long rowCount;
  private long bytes;

  /**
   * Adds the next batch.
   *
   * @param batch ownership passes to this object
   * @param placement its placement in the spill space
   * @param firstKey the key of its first row
   * @param batchBytes its bytes
   */
  void add(SpillableBatch batch, RunPlacement placement, Object[] firstKey, long batchBytes) {
    batches.add(batch);
    placements.add(placement);
    firstKeys.add(firstKey);
    rowCount += batch.rowCount();
    bytes += batchBytes;
  }

  /** Returns how many batches there are. */
  int batchCount() {
    return batches.size();
  }

  /** Returns a batch, still owned by this. */
  SpillableBatch batch(int index) {
    return batches.get(index);
  }

  /** Returns a batch for a merge to read; this run keeps ownership. */
  SpillableBatch open(int index) {
    placements.get(index).open();
    return batches.get(index);
  }

  /** Returns the key of a batch's first row. */
  Object[] firstKey(int index) {
    return firstKeys.get(index);
  }

  /** Returns the rows of all batches. */
  long rowCount() {
    return rowCount;
  }

  /** Returns the bytes of all batches in memory. */
  long bytes() {
    return bytes;
  }

  /** Frees the batches that were not taken. */
  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    closer.rethrow();
  }
}
