package io.ariadne.bridge.vector;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Presents a source's batches to a Spark task.
 *
 * <p>Owns the source and the batch it returned last. It closes that batch when the next one is
 * requested (unless its consumer has taken the columns), and both at the end or when the task
 * completes. Skips batches without rows. Used by the task thread only.
 */
public final class SparkBatchIterator implements Iterator<ColumnarBatch>, AutoCloseable {
  private final BatchSource source;
  private final DataType[] types;
  private ColumnarBatch given;
  private RecordBatch next;
  private boolean closed;

  /**
   * Takes ownership of a source.
   *
   * @param source the batches
   * @param types Spark types of the columns
   * @param context everything is closed when this task completes; null when the caller closes
   */
  public SparkBatchIterator(BatchSource source, DataType[] types, TaskContext context) {
    this.source = source;
    this.types = types.clone();
    if (context != null) {
      context.addTaskCompletionListener(
          (org.apache.spark.util.TaskCompletionListener) ended -> close());
    }
  }

  @Override
  public boolean hasNext() {
    if (next == null && !closed) {
      closeGiven();
      advance();
    }
    return next != null;
  }

  private void advance() {
    do {
      next = source.next();
      if (next != null && next.rowCount() == 0) {
        next.close();
      } else {
        break;
      }
    } while (true);
    if (next == null) {
      close();
    }
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the source has no more batches");
    }
    // Cleared only once the result owns the batch.
    given = SparkBatches.toSpark(next, types);
    next = null;
    return given;
  }

  private void closeGiven() {
    if (given != null) {
      ColumnarBatch closing = given;
      given = null;
      closing.close();
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      closeGiven();
    } finally {
      try {
        if (next != null) {
          next.close();
          next = null;
        }
      } finally {
        source.close();
      }
    }
  }
}
