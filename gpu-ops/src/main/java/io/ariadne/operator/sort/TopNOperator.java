package io.ariadne.operator.sort;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;

/**
 * Keeps the first rows of an order: each local state keeps its own, which are then put together.
 */
final class TopNOperator implements SinkOperator {
  private final SortSpec spec;
  private final int limit;
  private final int patience;
  private final OperatorContext context;
  private TopNState all;
  private boolean isFinished;

  TopNOperator(SortSpec spec, int limit, int patience, OperatorContext context) {
    this.spec = spec;
    this.limit = limit;
    this.patience = patience;
    this.context = context;
  }

  @Override
  public Schema outputSchema() {
    return spec.schema();
  }

  @Override
  public SinkState newLocal() {
    return new TopNState(spec, limit, patience, context);
  }

  @Override
  public void combine(SinkState local) {
    TopNState state = (TopNState) local;
    if (all == null) {
      all = state;
      return;
    }
    try (state) {
      all.merge(state);
    }
  }

  @Override
  public void finish() {
    isFinished = all == null;
  }

  @Override
  public RecordBatch getOutput() {
    if (isFinished) {
      return null;
    }
    isFinished = true;
    return all.take();
  }

  @Override
  public boolean isFinished() {
    return isFinished;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(all);
    closer.rethrow();
  }
}
