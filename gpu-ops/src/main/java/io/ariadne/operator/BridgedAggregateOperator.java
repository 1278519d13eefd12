package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;

/**
 * Hash aggregation with any number of keys, none included, whose aggregates an {@link
 * io.ariadne.columnar.AggregationFunction} computes row by row, in the order of the rows.
 *
 * <p>Output are the keys, then the function's columns; groups are in the order of their first rows.
 * Without keys there is one row also for no input. There is one local state: who runs this gives it
 * one thread and the batches in order.
 */
public final class BridgedAggregateOperator implements SinkOperator {
  private static final int OUTPUT_ROWS = 8192;

  private final BridgedAggregateOperatorFactory plan;
  private final OperatorContext context;
  private BridgedAggregateState state;
  private GroupKeys keys;
  private int nextGroup;
  private boolean finished;
  private long sequence;

  BridgedAggregateOperator(BridgedAggregateOperatorFactory plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public SinkState newLocal() {
    return new BridgedAggregateState(plan, context);
  }

  @Override
  public void combine(SinkState local) {
    if (state != null) {
      local.close();
      throw new IllegalStateException("rows in their order need one local state");
    }
    state = (BridgedAggregateState) local;
  }

  @Override
  public void finish() {
    if (state == null) {
      state = new BridgedAggregateState(plan, context);
    }
    keys = state.keys();
    finished = true;
  }

  @Override
  public RecordBatch getOutput() {
    if (!finished || isFinished()) {
      return null;
    }
    int count = Math.min(OUTPUT_ROWS, state.groupCount() - nextGroup);
    RecordBatch output = state.read(keys, nextGroup, count, sequence);
    nextGroup += count;
    sequence++;
    return output;
  }

  @Override
  public boolean isFinished() {
    return finished && nextGroup >= state.groupCount();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(keys);
    closer.close(state);
    closer.rethrow();
  }
}
