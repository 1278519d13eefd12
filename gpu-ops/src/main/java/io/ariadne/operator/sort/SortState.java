package io.ariadne.operator.sort;

import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/** What one thread of work has taken in: sorted runs, and batches that wait to become one. */
final class SortState implements SinkState {
  private static final SpillPlacement WAITING = SpillPlacement.at(1, true);
  private static final SpillPlacement SORTED = SpillPlacement.at(2, false);

  private final SortSpec spec;
  private final SortLimits limits;
  private final OperatorContext context;
  private final BatchSort sort;
  private final List<SpillableBatch> waiting = new ArrayList<>();
  private final List<SortedRun> runs = new ArrayList<>();
  private long waitingRows;
  private long waitingBytes;

  SortState(SortSpec spec, SortLimits limits, OperatorContext context) {
    this.spec = spec;
    this.limits = limits;
    this.context = context;
    this.sort = new BatchSort(spec, context);
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    RecordBatch onHost = context.transfer().toHost(batch);
    waitingRows += onHost.rowCount();
    waitingBytes += onHost.sizeInBytes();
    waiting.add(context.spill().add(onHost, WAITING));
    if (waitingRows >= limits.runRows() || waitingBytes >= limits.runBytes()) {
      sortWaiting();
    }
  }

  /** Sorts the batches that wait into a run. */
  private void sortWaiting() {
    if (context.cancelled().getAsBoolean()) {
      throw new CancellationException("the operator was cancelled");
    }
    List<RecordBatch> sorted = sorted();
    SortedRun run = new SortedRun();
    runs.add(run);
    int next = 0;
    try {
      HeapCompaction compaction = new HeapCompaction(context.allocator());
      while (next < sorted.size()) {
        RecordBatch batch = compaction.compact(sorted.get(next++));
        long bytes = batch.sizeInBytes();
        Object[] firstKey = new RowKeys(batch, spec).at(0);
        run.add(context.spill().add(batch, SORTED), firstKey, bytes);
      }
    } finally {
      Closer closer = new Closer();
      sorted.subList(next, sorted.size()).forEach(closer::close);
      closer.rethrow();
    }
  }

  /** Returns the rows that wait, in order, and lets go of the batches. */
  private List<RecordBatch> sorted() {
    List<Piece> pieces = new ArrayList<>();
    int opened = 0;
    try {
      for (SpillableBatch batch : waiting) {
        pieces.add(Piece.of(batch.read(context.allocator())));
        opened++;
      }
      return sort.sort(pieces, Integer.MAX_VALUE, limits.batchRows());
    } finally {
      Closer closer = new Closer();
      for (SpillableBatch batch : waiting.subList(0, opened)) {
        closer.close(batch::unread);
      }
      waiting.forEach(closer::close);
      waiting.clear();
      waitingRows = 0;
      waitingBytes = 0;
      closer.rethrow();
    }
  }

  /**
   * Hands the runs to the caller, the last batches sorted; the state takes no more.
   *
   * @param target takes the runs, owned by the caller
   */
  void takeRuns(List<SortedRun> target) {
    if (waitingRows > 0) {
      sortWaiting();
    }
    target.addAll(runs);
    runs.clear();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    waiting.forEach(closer::close);
    runs.forEach(closer::close);
    closer.close(sort);
    closer.rethrow();
  }
}
