package io.ariadne.operator.sort;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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

  /** States whose rows this object does not have yet. */
  private final Deque<TopNState> states = new ArrayDeque<>();

  private TopNState all;
  private SortedRuns merged;
  private MergedRange range;

  /** Merged rows that were not yielded yet; null for none. */
  private RecordBatch pending;

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

  /** Takes the rows of a state, or leaves that to {@link #finish} when memory is refused. */
  @Override
  public void combine(SinkState local) {
    states.add((TopNState) local);
    try {
      takeStates();
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
    }
  }

  private void takeStates() {
    while (!states.isEmpty()) {
      TopNState state = states.element();
      if (all == null && !state.isSorting()) {
        all = states.remove();
      } else {
        take(state);
        states.remove();
        state.close();
      }
    }
  }

  private void take(TopNState state) {
    if (state.isSorting()) {
      state.takeRuns(runs);
    } else {
      all.merge(state);
    }
  }

  /** Returns true: rows that a call could not sort or copy are where they were. */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  @Override
  public void finish() {
    takeStates();
    isFinished = all == null && runs.isEmpty();
    boolean isSorted = !runs.isEmpty() || (all != null && all.isSorting());
    if (isSorted && all != null) {
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
    RecordBatch first = all.take();
    isFinished = true;
    return first;
  }

  private RecordBatch nextMerged() {
    while (left > 0) {
      if (range == null) {
        range = merged.next();
      }
      if (range == null) {
        break;
      }
      if (pending == null) {
        pending = range.next();
      }
      if (pending != null) {
        return wanted();
      }
      range.close();
      range = null;
    }
    isFinished = true;
    return null;
  }

  /** Returns as many of the first pending rows as are still wanted. */
  private RecordBatch wanted() {
    int count = (int) Math.min(left, pending.rowCount());
    RecordBatch first =
        count < pending.rowCount()
            ? new RowRange(0, count).copyOf(pending, context.allocator(), sequence)
            : RecordBatch.of(spec.schema(), count, sequence, pending::takeColumn);
    RecordBatch over = pending;
    pending = null;
    over.close();
    sequence++;
    left -= count;
    isFinished = left == 0;
    return first;
  }

  @Override
  public boolean isFinished() {
    return isFinished;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    states.forEach(closer::close);
    closer.close(all);
    closer.close(pending);
    closer.close(range);
    closer.close(merged);
    runs.forEach(closer::close);
    closer.rethrow();
  }
}
