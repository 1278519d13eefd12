package io.ariadne.shuffle.spark;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.concat.RowConcatenator;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.shuffle.catalog.MapOutputs;

/**
 * Makes batches of the usual size from rows that the process keeps. Copies each value once; passes
 * large batches on without a copy when the task reads all of their rows. Used by the task thread.
 *
 * <p>A batch stays in memory from {@link #add} until its rows are copied. When batches of more than
 * the allowed bytes are retained in this way, rows are copied immediately, and a second time into
 * their batch.
 */
final class LocalRowsInput implements AutoCloseable {
  /** A whole batch of at least as many rows is passed on without a copy. */
  private static final int LARGE_ROWS = 8192;

  /** A whole batch of at least as many bytes is passed on without a copy. */
  private static final long LARGE_BYTES = 1L << 20;

  /** All threads together may retain batches of one part in this many of the pool. */
  private static final int POOL_SHARE = 16;

  private final ExecutorRuntime runtime;
  private final MapOutputs outputs;
  private final RowConcatenator gathered;
  private final Schema schema;
  private final long maxRetainedBytes;
  private long retainedBytes;

  /**
   * The rows that follow those gathered: either they are a large batch, or their layout differs.
   * Null when there are none.
   */
  private RetainedRows nextRows;

  LocalRowsInput(Schema schema, ExecutorRuntime runtime) {
    this.runtime = runtime;
    this.outputs = MapOutputs.of(runtime);
    this.schema = schema;
    this.gathered = new RowConcatenator(schema, runtime.pool());
    this.maxRetainedBytes = runtime.pool().limitInBytes() / POOL_SHARE / runtime.computeThreads();
  }

  /** Returns whether there are no rows. */
  boolean isEmpty() {
    return gathered.isEmpty() && nextRows == null;
  }

  /**
   * Adds rows.
   *
   * @param rows ownership passes to this object, also when this throws
   * @param sequence position of the next batch in the stream of batches
   * @return a batch, owned by the caller, when one is full: of the rows before these, or including
   *     these; else null
   */
  RecordBatch add(RetainedRows rows, long sequence) {
    RecordBatch before = takeNextRows(rows, sequence);
    if (before != null || !mayGather(rows)) {
      nextRows = rows;
      return before != null ? before : take(sequence);
    }
    gather(rows);
    boolean isFull =
        gathered.rowCount() >= runtime.batchRows(ReduceInput.BATCH_ROWS)
            || gathered.sizeInBytes() >= ReduceInput.BATCH_BYTES;
    return isFull ? concatenated(sequence) : null;
  }

  /**
   * As {@link #takeNextRows(long)}, if there are next rows.
   *
   * @param added closed when this throws
   */
  private RecordBatch takeNextRows(RetainedRows added, long sequence) {
    try {
      return nextRows == null ? null : takeNextRows(sequence);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(added);
      closer.suppressIn(e);
      throw e;
    }
  }

  private boolean mayGather(RetainedRows rows) {
    return !isLarge(rows) && gathered.canAdd(rows.batch());
  }

  /** Returns whether to pass rows on as a batch. Not done while memory is scarce, as they stay. */
  private boolean isLarge(RetainedRows rows) {
    return rows.areWhole()
        && (rows.count() >= LARGE_ROWS || rows.sizeInBytes() >= LARGE_BYTES)
        && !outputs.isScarce();
  }

  private void gather(RetainedRows rows) {
    long bytes = rows.batch().sizeInBytes();
    if (retainedBytes + bytes <= maxRetainedBytes) {
      gathered.add(rows);
      retainedBytes += bytes;
      return;
    }
    try (RowConcatenator copy = new RowConcatenator(schema, runtime.pool())) {
      copy.add(rows);
      gathered.add(RetainedRows.of(copy.concat(0)));
    }
  }

  /**
   * Returns the next batch, owned by the caller. Not called when this is empty.
   *
   * @param sequence position of the batch in the stream of batches
   */
  RecordBatch take(long sequence) {
    RecordBatch batch = gathered.isEmpty() ? takeNextRows(sequence) : null;
    return batch == null ? concatenated(sequence) : batch;
  }

  private RecordBatch concatenated(long sequence) {
    RecordBatch batch = gathered.concat(sequence);
    retainedBytes = 0;
    return batch;
  }

  /** Passes the next rows on as a batch, or gathers them and returns null when they are few. */
  private RecordBatch takeNextRows(long sequence) {
    RetainedRows rows = nextRows;
    nextRows = null;
    if (isLarge(rows)) {
      return rows.lend(sequence);
    }
    gather(rows);
    return null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(nextRows);
    nextRows = null;
    closer.close(gathered);
    closer.rethrow();
  }
}
