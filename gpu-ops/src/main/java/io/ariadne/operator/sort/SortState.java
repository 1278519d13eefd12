package io.ariadne.operator.sort;

import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.UnprocessedBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * What one thread of work has taken in: sorted runs, and batches that wait to become one. When the
 * last merge would have too many inputs, just so many of the smallest are merged before that it has
 * not, since whatever is merged twice is written and read twice.
 */
final class SortState implements SinkState {
  private final SortSpec spec;
  private final SortLimits limits;
  private final OperatorContext context;
  private final RunCodes codes;
  private final BatchSort sort;
  private final WaitingBatches waiting;
  private final List<SortedRun> runs = new ArrayList<>();
  private final long limit;
  private final LastWanted lastWanted;
  private final UnprocessedBatch refused = new UnprocessedBatch();

  /** What is left to be done of a merge; null when there is none. */
  private RunMerge merge;

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

  /** Creates a state all of whose rows are wanted; arguments as in the full constructor. */
  SortState(SortSpec spec, SortLimits limits, OperatorContext context, RunCodes codes) {
    this(spec, limits, context, codes, Long.MAX_VALUE, (batch, row) -> {});
  }

  /**
   * Creates a state of whose rows only the first are wanted: runs have no more of them, but for one
   * batch.
   *
   * @param spec what is sorted, and by what
   * @param limits sizes
   * @param context surroundings
   * @param codes of columns whose rows need not have values; stay the caller's
   * @param limit how many rows are wanted, at least 1; {@link Long#MAX_VALUE} for all
   * @param lastWanted is told of runs that have as many rows as are wanted
   */
  SortState(
      SortSpec spec,
      SortLimits limits,
      OperatorContext context,
      RunCodes codes,
      long limit,
      LastWanted lastWanted) {
    this.spec = spec;
    this.limits = limits;
    this.context = context;
    this.codes = codes;
    this.limit = limit;
    this.lastWanted = lastWanted;
    this.waiting = new WaitingBatches(context);
    this.sort = new BatchSort(spec, context, codes);
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    RecordBatch host;
    try {
      if (waiting.rowCount() >= limits.runRows() || waiting.bytes() >= limits.runBytes()) {
        sortWaiting();
      }
      host = context.transfer().moveToHost(batch);
    } catch (RuntimeException | Error e) {
      refused.keepOrClose(batch, e);
      throw e;
    }
    waiting.add(host);
    dropUnwanted();
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return refused.take();
  }

  /** Sorts what waits, which is at most one run, or merges some rows of runs that are too many. */
  @Override
  public boolean finish() {
    if (waiting.count() > 0) {
      sortWaiting();
      dropUnwanted();
    } else if (merge != null) {
      stepMerge();
    } else if (runs.size() > limits.laneRuns()) {
      beginMerge(Math.min(limits.fanIn(), runs.size() - limits.laneRuns() + 1));
    }
    return merge == null && runs.size() <= limits.laneRuns();
  }

  /** Sorts the batches that wait into a run; when that fails, they still wait. */
  private void sortWaiting() {
    if (context.cancelled().getAsBoolean()) {
      throw new CancellationException("the operator was cancelled");
    }
    SortedRun run = new SortedRun();
    int batchRows = limits.batchRows(waiting.bytes(), waiting.rowCount());
    List<RecordBatch> sorted =
        waiting.sorted(sort, (int) Math.min(limit, Integer.MAX_VALUE), batchRows);
    try {
      append(sorted, run);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(run);
      closer.suppressIn(e);
      throw e;
    }
    waiting.close();
    runs.add(run);
  }

  /** Merges all runs when that leaves out half of the rows or more. */
  private void dropUnwanted() {
    while (runs.size() > 1 && hasTwiceTheWanted()) {
      beginMerge(Math.min(limits.fanIn(), runs.size()));
      while (merge != null) {
        stepMerge();
      }
    }
  }

  /** Returns whether a merge would leave out half of the rows. */
  private boolean hasTwiceTheWanted() {
    return runs.stream().mapToLong(SortedRun::rowCount).sum() / 2 >= limit;
  }

  /** Adds batches, which are the run's from now on, to its end. */
  private void append(List<RecordBatch> batches, SortedRun run) {
    int next = 0;
    try {
      while (next < batches.size()) {
        append(batches.get(next++), run);
      }
    } finally {
      Closer closer = new Closer();
      batches.subList(next, batches.size()).forEach(closer::close);
      closer.rethrow();
    }
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
    RunPlacement placement = new RunPlacement();
    run.add(context.spill().add(compact, placement), placement, firstKey, bytes);
  }

  /** Begins to make one run of the smallest ones, of the rows that are wanted. */
  private void beginMerge(int count) {
    runs.sort(Comparator.comparingLong(SortedRun::rowCount));
    List<SortedRun> smallest = runs.subList(0, count);
    SortedRuns inputs = new SortedRuns(spec, limits.undivided(), context, codes, smallest);
    SortedRun output = new SortedRun();
    merge = new RunMerge(inputs, output, inputs.restRows(), limit);
    smallest.clear();
    runs.add(output);
  }

  /** Merges the next rows, or ends the merge. */
  private void stepMerge() {
    if (!merge.step(this::append)) {
      RunMerge done = merge;
      merge = null;
      done.close();
    }
  }

  /**
   * Hands the runs to the caller, all of them ended; the state takes no more.
   *
   * @param target takes the runs, owned by the caller
   */
  void takeRuns(List<SortedRun> target) {
    boolean isDone = finish();
    while (!isDone) {
      isDone = finish();
    }
    target.addAll(runs);
    runs.clear();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(refused);
    closer.close(waiting);
    closer.close(merge);
    runs.forEach(closer::close);
    closer.close(sort);
    closer.rethrow();
  }
}
