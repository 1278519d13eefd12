package io.ariadne.operator.sort;

import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.UnprocessedBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * The local state of a sort: sorted runs, and buffered batches that will become a run. When the
 * last merge would have too many inputs, the smallest runs are merged first, only as many as
 * needed: rows that are merged twice are written and read twice.
 */
final class SortState implements SinkState {
  private final SortSpec spec;
  private final SortLimits limits;
  private final OperatorContext context;
  private final RunCodes codes;
  private final BatchSort sort;
  private final BufferedBatches buffered;
  private final List<SortedRun> runs = new ArrayList<>();
  private final long limit;
  private final LastWanted lastWanted;
  private final UnprocessedBatch refused = new UnprocessedBatch();

  /** The merge in progress; null for none. */
  private RunMerge merge;

  /** Learns the last wanted row of each run when only the first rows are wanted. */
  interface LastWanted {
    /**
     * Called when the rows up to a row, this included, are as many as wanted.
     *
     * @param batch of a run; stays the state's
     * @param row the row
     */
    void found(RecordBatch batch, int row);
  }

  /** Creates a state that keeps all rows; arguments as in the full constructor. */
  SortState(SortSpec spec, SortLimits limits, OperatorContext context, RunCodes codes) {
    this(spec, limits, context, codes, Long.MAX_VALUE, (batch, row) -> {});
  }

  /**
   * Creates a state that keeps the first rows only: no run has more rows than wanted, except those
   * of one batch.
   *
   * @param spec schema and sort columns
   * @param limits sizes
   * @param context memory and back end
   * @param codes the common codes of the string columns that are not keys; the caller keeps
   *     ownership
   * @param limit how many rows are wanted, at least 1; {@link Long#MAX_VALUE} for all
   * @param lastWanted called for runs that have as many rows as wanted
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
    this.buffered = new BufferedBatches(context);
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
      if (buffered.rowCount() >= limits.runRows() || buffered.bytes() >= limits.runBytes()) {
        sortBuffered();
      }
      host = context.transfer().moveToHost(batch);
    } catch (RuntimeException | Error e) {
      refused.keepOrClose(batch, e);
      throw e;
    }
    buffered.add(host);
    dropUnwantedIfMemoryAllows();
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return refused.take();
  }

  /** Sorts the buffered rows, at most one run, or merges some rows when there are too many runs. */
  @Override
  public boolean finish() {
    if (buffered.count() > 0) {
      sortBuffered();
      dropUnwanted();
    } else if (merge != null) {
      stepMerge();
    } else if (runs.size() > limits.driverRuns()) {
      beginMerge(Math.min(limits.fanIn(), runs.size() - limits.driverRuns() + 1));
    }
    return merge == null && runs.size() <= limits.driverRuns();
  }

  /** Returns true: rows that {@link #finish} could not sort or merge are where they were. */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  /** Sorts the buffered batches into a run; when that fails, they stay buffered. */
  private void sortBuffered() {
    if (context.cancelled().getAsBoolean()) {
      throw new CancellationException("the operator was cancelled");
    }
    SortedRun run = new SortedRun();
    int batchRows = limits.batchRows(buffered.bytes(), buffered.rowCount());
    List<RecordBatch> sorted =
        buffered.sorted(sort, (int) Math.min(limit, Integer.MAX_VALUE), batchRows);
    int appended = 0;
    try {
      for (; appended < sorted.size(); appended++) {
        append(sorted.get(appended), run);
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      sorted.subList(appended, sorted.size()).forEach(closer::close);
      closer.close(run);
      closer.suppressIn(e);
      throw e;
    }
    buffered.close();
    runs.add(run);
  }

  /**
   * Merges all runs when at least half of the rows are not wanted. When this is refused memory, the
   * next call continues.
   */
  private void dropUnwanted() {
    while (merge != null || (runs.size() > 1 && hasTwiceTheWanted())) {
      if (merge == null) {
        beginMerge(Math.min(limits.fanIn(), runs.size()));
      }
      stepMerge();
    }
  }

  /** Drops unwanted rows, or leaves that to a later call when memory is refused. */
  private void dropUnwantedIfMemoryAllows() {
    try {
      dropUnwanted();
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
    }
  }

  /** Returns whether at least half of the rows are not wanted. */
  private boolean hasTwiceTheWanted() {
    return runs.stream().mapToLong(SortedRun::rowCount).sum() / 2 >= limit;
  }

  /** Appends a batch to a run, which takes ownership of it unless this throws. */
  private void append(RecordBatch batch, SortedRun run) {
    Object[] firstKey = new RowKeys(batch, spec).at(0);
    long row = limit - 1 - run.rowCount();
    if (row >= 0 && row < batch.rowCount()) {
      lastWanted.found(batch, (int) row);
    }
    RecordBatch compact = new HeapCompaction(context.allocator()).moveCompacted(batch);
    long bytes = compact.sizeInBytes();
    RunPlacement placement = new RunPlacement();
    run.add(context.spill().add(compact, placement), placement, firstKey, bytes);
  }

  /** Starts to merge the smallest runs into a new run, which gets the wanted rows. */
  private void beginMerge(int count) {
    runs.sort(Comparator.comparingLong(SortedRun::rowCount));
    List<SortedRun> smallest = runs.subList(0, count);
    SortedRuns inputs = new SortedRuns(spec, limits.undivided(), context, codes, smallest);
    SortedRun output = new SortedRun();
    merge = new RunMerge(inputs, output, inputs.mergedBatchRows(), limit);
    smallest.clear();
    runs.add(output);
  }

  /** Merges the next rows or ends the merge. */
  private void stepMerge() {
    if (!merge.step(this::append)) {
      RunMerge done = merge;
      merge = null;
      done.close();
    }
  }

  /**
   * Hands all runs, which are complete, to the caller; the state takes no more rows.
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
    closer.close(buffered);
    closer.close(merge);
    runs.forEach(closer::close);
    closer.close(sort);
    closer.rethrow();
  }
}
