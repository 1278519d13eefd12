package io.ariadne.operator.sort;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.SplitSource;
import java.util.ArrayList;
import java.util.List;

/** Sorts all rows: local states make sorted runs, and the splits of the output merge them. */
final class SortOperator implements SinkOperator {
  private final SortSpec spec;
  private final SortLimits limits;
  private final OperatorContext context;
  private final RunCodes codes;
  private final List<SortedRun> runs = new ArrayList<>();
  private SortedRuns merged;
  private MergedRange range;
  private boolean isFinished;
  private long sequence;

  SortOperator(SortSpec spec, SortLimits limits, OperatorContext context) {
    this.spec = spec;
    this.limits = limits.within(context);
    this.context = context;
    this.codes = RunCodes.of(spec, context.allocator());
  }

  @Override
  public Schema outputSchema() {
    return spec.schema();
  }

  @Override
  public SinkState newLocal() {
    return new SortState(spec, limits, context, codes);
  }

  @Override
  public void combine(SinkState local) {
    try (SortState state = (SortState) local) {
      state.takeRuns(runs);
    }
  }

  @Override
  public void finish() {
    merged = new SortedRuns(spec, limits, context, codes, runs);
    runs.clear();
    // All rows are in runs: the merge keeps their codes.
    codes.close();
  }

  @Override
  public SplitSource takeSplits() {
    SortedRuns taken = merged;
    merged = null;
    isFinished = true;
    return taken;
  }

  @Override
  public RecordBatch getOutput() {
    while (!isFinished) {
      if (range == null) {
        range = merged.next();
        isFinished = range == null;
      } else {
        RecordBatch batch = range.next();
        if (batch != null) {
          return numbered(batch);
        }
        range.close();
        range = null;
      }
    }
    return null;
  }

  /**
   * Returns true: {@link #finish} takes no memory, and a round that was refused memory has taken no
   * rows.
   */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  private RecordBatch numbered(RecordBatch batch) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < batch.columnCount(); i++) {
      columns.add(batch.takeColumn(i));
    }
    return new RecordBatch(batch.schema(), batch.rowCount(), columns, sequence++);
  }

  @Override
  public boolean isFinished() {
    return isFinished;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(range);
    closer.close(merged);
    runs.forEach(closer::close);
    closer.close(codes);
    closer.rethrow();
  }
}
