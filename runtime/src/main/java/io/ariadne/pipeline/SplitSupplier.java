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

/**
 * The scan a pipeline reads: asks it and its splits for more, counting, and keeps the splits that
 * nobody wants until they may be closed.
 *
 * <p>The source and its splits are called without the fragment's lock.
 */
public final class SplitSupplier {
  private final SplitSource source;
  private final int nodeId;
  private final NodeMetrics figures;

  /** Never to be driven; guarded by the fragment's lock. */
  private final List<Split> dropped = new ArrayList<>();

  /** Takes ownership of the source of a plan node. */
  public SplitSupplier(SplitSource source, int nodeId, NodeMetrics figures) {
    this.source = source;
    this.nodeId = nodeId;
    this.figures = figures;
  }

  /** Returns the next split, owned by the caller, or null at the end. */
  Split nextSplit() {
    ThreadRecord.current().workOn(nodeId);
    long start = System.nanoTime();
    try {
      return source.next();
    } finally {
      figures.addNanos(System.nanoTime() - start);
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
      figures.addNanos(System.nanoTime() - start);
    }
    if (batch != null && batch.rowCount() > 0) {
      figures.addOutput(batch.rowCount(), batch.sizeInBytes());
    }
    return batch;
  }

  @Override
  public String toString() {
    return OutOfMemoryReport.nameOf(source, nodeId);
  }

  /** Keeps a split that nobody wants, under the lock, which is no place to close it. */
  void drop(Split split) {
    dropped.add(split);
  }

  /** Closes the dropped splits and the source; without the lock, after all other splits. */
  void close(Closer closer) {
    dropped.forEach(closer::close);
    dropped.clear();
    closer.close(source);
  }
}
