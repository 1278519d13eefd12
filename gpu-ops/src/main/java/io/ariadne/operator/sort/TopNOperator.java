package io.ariadne.operator.sort;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the first rows of an order: each local state keeps its own, and they are then combined. If
 * one state has sorted runs, all rows are sorted, and the merge ends when there are enough rows.
 */
final class TopNOperator implements SinkOperator {
  private final SortSpec spec;
  private final int limit;
  private final int patience;
  private final SortLimits limits;
  private final OperatorContext context;
  private final List<SortedRun> runs = new ArrayList<>();
  private TopNState all;
  private SortedRuns merged;
  private MergedRange range;
  private long left;
  private long sequence;
  private boolean isFinished;

  TopNOperator(SortSpec spec, int limit, int patience, SortLimits limits, OperatorContext context) {
    this.spec = spec;
    this.limit = limit;
    this.patience = patience;
    this.limits = limits.within(context);
    this.context = context;
    this.left = limit;
  }

  @Override
  public Schema outputSchema() {
    return spec.schema();
  }

  @Override
  public SinkState newLocal() {
    return new TopNState(spec, limit, patience, limits, context);
  }

  @Override
  public void combine(SinkState local) {
    TopNState state = (TopNState) local;
    if (all == null && !state.isSorting()) {
      all = state;
      return;
    }
    try (state) {
      if (state.isSorting()) {
        state.takeRuns(runs);
      } else {
        all.merge(state);
      }
    }
  }

  @Override
  public void finish() {
    isFinished = all == null && runs.isEmpty();
    boolean isSorted = !runs.isEmpty() || (all != null && all.isSorting());
    if (isSorted && all != null) {
      all.handOver();
      all.takeRuns(runs);
    }
    if (isSorted) {
      merged = new SortedRuns(spec, limits, context, RunCodes.none(spec), runs);
      runs.clear();
    }
  }

  @Override
  public RecordBatch getOutput() {
    if (isFinished) {
      return null;
    }
    if (merged != null) {
      return nextMerged();
    }
    isFinished = true;
    return all.take();
  }

  private RecordBatch nextMerged() {
    while (left > 0) {
      if (range == null) {
        range = merged.next();
      }
      if (range == null) {
        break;
      }
      RecordBatch batch = range.next();
      if (batch != null) {
        return wanted(batch);
      }
      range.close();
      range = null;
    }
    isFinished = true;
    return null;
  }

  /** Returns as many of a batch's first rows as are still wanted; takes the batch. */
  private RecordBatch wanted(RecordBatch batch) {
    int count = (int) Math.min(left, batch.rowCount());
    List<ColumnVector> columns = new ArrayList<>();
    try (batch) {
      RowRange first = new RowRange(0, count);
      for (int c = 0; c < batch.columnCount(); c++) {
        boolean isWhole = count == batch.rowCount();
        columns.add(
            isWhole ? batch.takeColumn(c) : first.copyOf(batch.column(c), context.allocator()));
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    left -= count;
    isFinished = left == 0;
    return new RecordBatch(spec.schema(), count, columns, sequence++);
  }

  @Override
  public boolean isFinished() {
    return isFinished;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(all);
    closer.close(range);
    closer.close(merged);
    runs.forEach(closer::close);
    closer.rethrow();
  }
}
