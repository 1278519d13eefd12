package io.ariadne.shuffle.spark;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.rows.RowConcatenator;

/**
 * Puts rows that the process keeps together to batches of the usual size, copying each value once;
 * large batches that are wanted as a whole are passed on without a copy. Used by the task's thread.
 *
 * <p>Batches that rows are gathered of stay in memory meanwhile. When these are many, rows are
 * copied at once, and once more to where they stay.
 */
final class LocalRowsInput implements AutoCloseable {
  /** Rows, or bytes, from which on a whole batch is passed on as it is. */
  private static final int LARGE_ROWS = 8192;

  private static final long LARGE_BYTES = 1L << 20;

  /** The part of the pool that all threads may keep from being moved. */
  private static final int POOL_SHARE = 16;

  private final ExecutorRuntime runtime;
  private final RowConcatenator join;
  private final Schema schema;
  private final long mostHeldBytes;
  private long heldBytes;

  /** Rows that come next, of a batch that is not laid out as those gathered, or is large. */
  private RetainedRows waiting;

  LocalRowsInput(Schema schema, ExecutorRuntime runtime) {
    this.runtime = runtime;
    this.schema = schema;
    this.join = new RowConcatenator(schema, runtime.pool());
    this.mostHeldBytes = runtime.pool().limitInBytes() / POOL_SHARE / runtime.computeThreads();
  }

  /** Returns whether there are no rows. */
  boolean isEmpty() {
    return join.isEmpty() && waiting == null;
  }

  /**
   * Adds rows.
   *
   * @param rows closed by this from now on
   * @param sequence place of the next batch in its stream
   * @return a batch of rows before these, or with these, if one is due, owned by the caller
   */
  RecordBatch add(RetainedRows rows, long sequence) {
    RecordBatch before = beforeAdding(rows, sequence);
    if (before != null || !mayGather(rows)) {
      waiting = rows;
      return before != null ? before : take(sequence);
    }
    gather(rows);
    boolean isFull =
        join.rowCount() >= runtime.batchRows(ReduceInput.BATCH_ROWS)
            || join.sizeInBytes() >= ReduceInput.BATCH_BYTES;
    return isFull ? joined(sequence) : null;
  }

  /** Returns a batch that was waiting, or null; when memory for it is refused, rows are closed. */
  private RecordBatch beforeAdding(RetainedRows rows, long sequence) {
    try {
      return waiting == null ? null : takeWaiting(sequence);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(rows);
      closer.suppressIn(e);
      throw e;
    }
  }

  private boolean mayGather(RetainedRows rows) {
    return !isLarge(rows) && join.canAdd(rows.batch());
  }

  /** Returns whether rows are a batch already; not when that keeps scarce memory in use. */
  private boolean isLarge(RetainedRows rows) {
    return rows.areWhole()
        && (rows.count() >= LARGE_ROWS || rows.sizeInBytes() >= LARGE_BYTES)
        && !MapOutputs.of(runtime).isScarce();
  }

  private void gather(RetainedRows rows) {
    long bytes = rows.batch().sizeInBytes();
    if (heldBytes + bytes <= mostHeldBytes) {
      join.add(rows);
      heldBytes += bytes;
      return;
    }
    try (RowConcatenator alone = new RowConcatenator(schema, runtime.pool())) {
      alone.add(rows);
      join.add(RetainedRows.of(alone.join(0)));
    }
  }

  /** Returns the next batch of what is here; there is something. */
  RecordBatch take(long sequence) {
    RecordBatch batch = join.isEmpty() ? takeWaiting(sequence) : null;
    return batch == null ? joined(sequence) : batch;
  }

  private RecordBatch joined(long sequence) {
    RecordBatch batch = join.join(sequence);
    heldBytes = 0;
    return batch;
  }

  /**
   * Passes a batch on, or gathers its rows and returns null if they are no batch for themselves.
   */
  private RecordBatch takeWaiting(long sequence) {
    RetainedRows rows = waiting;
    waiting = null;
    if (isLarge(rows)) {
      return rows.lend(sequence);
    }
    gather(rows);
    return null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(waiting);
    waiting = null;
    closer.close(join);
    closer.rethrow();
  }
}
