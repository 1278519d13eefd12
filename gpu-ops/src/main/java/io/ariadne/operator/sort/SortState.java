package io.ariadne.operator.sort;

import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import io.ariadne.spill.SpillPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * What one thread of work has taken in: sorted runs, and batches that wait to become one. Many runs
 * are merged into a longer one, many of those again, so that a merge has few inputs.
 */
final class SortState implements SinkState {
  private static final SpillPlacement SORTED = SpillPlacement.at(2, false);

  private final SortSpec spec;
  private final SortLimits limits;
  private final OperatorContext context;
  private final BatchSort sort;
  private final WaitingBatches waiting;
  private final List<List<SortedRun>> levels = new ArrayList<>();

  SortState(SortSpec spec, SortLimits limits, OperatorContext context) {
    this.spec = spec;
    this.limits = limits;
    this.context = context;
    this.waiting = new WaitingBatches(context);
    this.sort = new BatchSort(spec, context);
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    waiting.add(context.transfer().toHost(batch));
    if (waiting.rowCount() >= limits.runRows() || waiting.bytes() >= limits.runBytes()) {
      sortWaiting();
    }
  }

  /** Sorts what waits, which is at most one run. */
  @Override
  public boolean finish() {
    if (waiting.count() > 0) {
      sortWaiting();
    }
    return true;
  }

  /** Sorts the batches that wait into a run. */
  private void sortWaiting() {
    if (context.cancelled().getAsBoolean()) {
      throw new CancellationException("the operator was cancelled");
    }
    SortedRun run = new SortedRun();
    addRun(0, run);
    int batchRows = limits.batchRows(waiting.bytes(), waiting.rowCount());
    List<RecordBatch> sorted = waiting.sorted(sort, Integer.MAX_VALUE, batchRows);
    int next = 0;
    try {
      while (next < sorted.size()) {
        append(sorted.get(next++), run);
      }
    } finally {
      Closer closer = new Closer();
      sorted.subList(next, sorted.size()).forEach(closer::close);
      closer.rethrow();
    }
    for (int level = 0; level < levels.size(); level++) {
      if (levels.get(level).size() >= limits.fanIn()) {
        mergeLevel(level);
      }
    }
  }

  private void addRun(int level, SortedRun run) {
    if (level == levels.size()) {
      levels.add(new ArrayList<>());
    }
    levels.get(level).add(run);
  }

  /** Adds a batch, which is the run's from now on. */
  private void append(RecordBatch batch, SortedRun run) {
    RecordBatch compact = new HeapCompaction(context.allocator()).compact(batch);
    long bytes = compact.sizeInBytes();
    Object[] firstKey = new RowKeys(compact, spec).at(0);
    run.add(context.spill().add(compact, SORTED), firstKey, bytes);
  }

  /** Makes one run of those of a level. */
  private void mergeLevel(int level) {
    SortedRun run = new SortedRun();
    List<SortedRun> inputs = new ArrayList<>(levels.get(level));
    levels.get(level).clear();
    addRun(level + 1, run);
    try (SortedRuns merged = new SortedRuns(spec, limits.undivided(), context, inputs);
        MergedRange range = merged.next()) {
      for (RecordBatch batch = range.next(); batch != null; batch = range.next()) {
        append(batch, run);
      }
    }
  }

  /**
   * Hands the runs to the caller, the last batches sorted; the state takes no more.
   *
   * @param target takes the runs, owned by the caller
   */
  void takeRuns(List<SortedRun> target) {
    finish();
    levels.forEach(target::addAll);
    levels.clear();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(waiting);
    levels.forEach(runs -> runs.forEach(closer::close));
    closer.close(sort);
    closer.rethrow();
  }
}
