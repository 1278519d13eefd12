package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.List;

/** Keeps the build side of a join and makes a table of it at the end. Yields no rows. */
final class JoinBuildOperator implements SinkOperator {
  private final HashJoin join;
  private final OperatorContext context;
  private final List<SpillableBatch> batches = new ArrayList<>();
  private JoinTable table;

  JoinBuildOperator(HashJoin join, OperatorContext context) {
    this.join = join;
    this.context = context;
  }

  @Override
  public Schema outputSchema() {
    return join.spec().build();
  }

  @Override
  public SinkState newLocal() {
    return new JoinBuildState(context);
  }

  @Override
  public void combine(SinkState local) {
    try (JoinBuildState state = (JoinBuildState) local) {
      state.takeBatches(batches);
    }
  }

  @Override
  public void finish() {
    List<RecordBatch> taken = new ArrayList<>();
    try {
      for (SpillableBatch batch : batches) {
        taken.add(batch.take(context.allocator()));
      }
      batches.clear();
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      taken.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    table = JoinTable.of(join, taken, context);
    join.built(table);
  }

  @Override
  public RecordBatch getOutput() {
    return null;
  }

  @Override
  public boolean sparesInput() {
    return table.yieldsNothing();
  }

  @Override
  public boolean isFinished() {
    return table != null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    closer.close(table);
    closer.rethrow();
  }
}
