package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.RetainedRows;
import io.ariadne.memory.MemoryPool;
import java.util.List;

/**
 * Goes through rows of neighbouring partitions of a map output, batch by batch; those of a
 * partition come in the order in which they were written. Used by one thread; keeps the output
 * until it is closed.
 */
public final class MapOutputReader implements AutoCloseable {
  private final MapOutput output;
  private final MemoryPool pool;
  private final List<int[]> places;
  private int range;
  private int nextBatch;

  /** Where this stands: neighbouring rows of a batch. */
  private MapOutputBatch batch;

  private int first;
  private int count;
  private boolean closed;

  MapOutputReader(MapOutput output, MemoryPool pool, int firstPartition, int endPartition) {
    this.output = output;
    this.pool = pool;
    this.places = output.places(firstPartition, endPartition);
  }

  /** Returns bytes of all rows in memory, about; 0 exactly when there are no rows. */
  public long totalBytes() {
    long sum = 0;
    for (int[] range : places) {
      for (MapOutputBatch kept : output.batches()) {
        sum += kept.bytesOf(kept.firstRow(range[1]) - kept.firstRow(range[0]));
      }
    }
    return sum;
  }

  /** Goes to the next rows; returns whether there are any. */
  public boolean next() {
    for (; range < places.size(); range++, nextBatch = 0) {
      int[] wanted = places.get(range);
      while (nextBatch < output.batches().size()) {
        batch = output.batches().get(nextBatch++);
        first = batch.firstRow(wanted[0]);
        count = batch.firstRow(wanted[1]) - first;
        if (count > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns the rows, which stay in memory until the caller lets go of them, also after this is
   * closed and the shuffle is dropped. Blocks while their batch comes back from disk.
   *
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when a batch on disk finds no room;
   *     CORRUPT_DATA when its bytes there are damaged
   */
  public RetainedRows take() {
    return new RetainedRows(
        batch.batch().read(pool), first, count, batch.bytesOf(count), batch.batch()::unread);
  }

  /** Lets go of the output. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      output.endLease();
    }
  }
}
