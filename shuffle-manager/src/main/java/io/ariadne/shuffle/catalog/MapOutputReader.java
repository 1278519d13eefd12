package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import java.util.List;

/**
 * Reads the rows of consecutive partitions of a map output batch by batch. Rows of one partition
 * come in the order in which they were written. Used by one thread. The output stays until the
 * reader is closed.
 */
public final class MapOutputReader implements AutoCloseable {
  private final MapOutput output;
  private final MemoryPool pool;
  private final List<int[]> places;
  private final Runnable forget;
  private int range;
  private int nextBatch;

  /** The current rows: {@code count} consecutive rows of a batch. */
  private MapOutputBatch batch;

  private int first;
  private int count;
  private long readBackBytes;
  private boolean closed;

  /**
   * Creates a reader at no rows.
   *
   * @param forget drops the output, which the caller has leased for this reader
   */
  MapOutputReader(
      MapOutput output, MemoryPool pool, int firstPartition, int endPartition, Runnable forget) {
    this.output = output;
    this.forget = forget;
    this.pool = pool;
    this.places = output.places(firstPartition, endPartition);
  }

  /** Returns the approximate bytes of all rows in memory; 0 only when there are no rows. */
  public long totalBytes() {
    long sum = 0;
    for (int[] range : places) {
      for (MapOutputBatch some : output.batches()) {
        sum += some.bytesOf(some.firstRow(range[1]) - some.firstRow(range[0]));
      }
    }
    return sum;
  }

  /** Moves to the next rows; returns whether there are any. */
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

  /** Returns the number of the current rows. */
  public int rowCount() {
    return count;
  }

  /**
   * Returns the current rows, which stay in memory until the caller closes them, also after the
   * reader is closed and the shuffle is dropped. Blocks while their batch is read back from disk.
   * Drops an output whose bytes are damaged there: Spark has to compute it again.
   *
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when there is no memory for a batch on
   *     disk; CORRUPT_DATA when its bytes on disk are damaged
   */
  public RetainedRows take() {
    RecordBatch rows;
    try {
      rows = batch.batch().read(pool);
      readBackBytes += batch.batch().takeReadBackBytes();
    } catch (EngineException e) {
      if (e.code() == ErrorCode.CORRUPT_DATA) {
        forget.run();
      }
      throw e;
    }
    return new RetainedRows(rows, first, count, batch.bytesOf(count), batch.batch()::unread);
  }

  /** Returns the bytes of batches that were read back from disk for this reader so far. */
  public long readBackBytes() {
    return readBackBytes;
  }

  /** Ends the use of the output. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      output.endLease();
    }
  }
}
