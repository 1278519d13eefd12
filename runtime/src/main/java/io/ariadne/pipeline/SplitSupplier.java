package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.event.ThreadRecord;
import io.ariadne.fragment.control.OutOfMemoryReport;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The source of splits that a pipeline reads: a scan, or the output of a sink. Counts its metrics,
 * and keeps unneeded splits until they may be closed.
 *
 * <p>The source and its splits are called without the fragment's lock.
 */
public final class SplitSupplier {
  private final SplitSource source;
  private final int nodeId;
  private final NodeMetrics metrics;

  /** Splits that are not needed; guarded by the fragment's lock. */
  private final List<Split> dropped = new ArrayList<>();

  /**
   * Takes ownership of a source.
   *
   * @param source the source of splits
   * @param nodeId plan node that the source belongs to
   * @param metrics metrics of that node
   */
  public SplitSupplier(SplitSource source, int nodeId, NodeMetrics metrics) {
    this.source = source;
    this.nodeId = nodeId;
    this.metrics = metrics;
  }

  /** Returns a future that completes when the source can give its next split without waiting. */
  CompletableFuture<Void> isBlocked() {
    ThreadRecord.current().workOn(nodeId);
    return source.isBlocked();
  }

  /** Returns the next split, owned by the caller, or null at the end. */
  Split nextSplit() {
    ThreadRecord.current().workOn(nodeId);
    long start = System.nanoTime();
    try {
      return source.next();
    } finally {
      metrics.addNanos(System.nanoTime() - start);
    }
  }

  /** Returns the next batch of a split, which may have no rows, or null at its end. */
  RecordBatch nextBatch(Split split) {
    ThreadRecord.current().workOn(nodeId);
    long start = System.nanoTime();
    RecordBatch batch;
    try {
      batch = split.next();
    } finally {
      metrics.addNanos(System.nanoTime() - start);
    }
    if (batch != null && batch.rowCount() > 0) {
      metrics.addOutput(batch.rowCount(), batch.sizeInBytes());
    }
    return batch;
  }

  @Override
  public String toString() {
    return OutOfMemoryReport.nameOf(source, nodeId);
  }

  /** Keeps an unneeded split, under the lock, where it may not be closed. */
  void drop(Split split) {
    dropped.add(split);
  }

  /**
   * Closes the dropped splits and the source; called without the lock, after all other splits are
   * closed.
   */
  void close(Closer closer) {
    dropped.forEach(closer::close);
    dropped.clear();
    closer.close(source);
  }
}
