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
  private final long limit;
  private final LastWanted lastWanted;

  /** Is told which row is the last wanted one of a run, when only the first rows are wanted. */
  interface LastWanted {
    /**
     * There are as many rows in front of a row, and equal to it, as are wanted.
     *
     * @param batch of a run; stays the state's
     * @param row the row
     */
    void found(RecordBatch batch, int row);
  }

  SortState(SortSpec spec, SortLimits limits, OperatorContext context) {
    this(spec, limits, context, Long.MAX_VALUE, (batch, row) -> {});
  }

  /**
   * Creates a state of whose rows only the first are wanted: runs have no more of them, but for one
   * batch.
   *
   * @param spec what is sorted, and by what
   * @param limits sizes
   * @param context surroundings
   * @param limit how many rows are wanted, at least 1; {@link Long#MAX_VALUE} for all
   * @param lastWanted is told of runs that have as many rows as are wanted
   */
  SortState(
      SortSpec spec,
      SortLimits limits,
      OperatorContext context,
      long limit,
      LastWanted lastWanted) {
    this.spec = spec;
    this.limits = limits;
    this.context = context;
    this.limit = limit;
    this.lastWanted = lastWanted;
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
    List<RecordBatch> sorted =
        waiting.sorted(sort, (int) Math.min(limit, Integer.MAX_VALUE), batchRows);
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
      if (levels.get(level).size() >= limits.fanIn() || hasTwiceTheWanted(levels.get(level))) {
        mergeLevel(level);
      }
    }
  }

  /** Returns whether a merge would leave out half of the rows. */
  private boolean hasTwiceTheWanted(List<SortedRun> runs) {
    return runs.size() > 1 && runs.stream().mapToLong(SortedRun::rowCount).sum() / 2 >= limit;
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
    long row = limit - 1 - run.rowCount();
    Object[] firstKey;
    try {
      firstKey = new RowKeys(compact, spec).at(0);
      if (row >= 0 && row < compact.rowCount()) {
        lastWanted.found(compact, (int) row);
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(compact);
      closer.suppressIn(e);
      throw e;
    }
    run.add(context.spill().add(compact, SORTED), firstKey, bytes);
  }

  /** Makes one run of those of a level, of the rows that are wanted. */
  private void mergeLevel(int level) {
    SortedRun run = new SortedRun();
    List<SortedRun> inputs = new ArrayList<>(levels.get(level));
    levels.get(level).clear();
    addRun(level + 1, run);
    try (SortedRuns merged = new SortedRuns(spec, limits.undivided(), context, inputs);
        MergedRange range = merged.next()) {
      while (run.rowCount() < limit) {
        RecordBatch batch = range.next();
        if (batch == null) {
          break;
        }
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
