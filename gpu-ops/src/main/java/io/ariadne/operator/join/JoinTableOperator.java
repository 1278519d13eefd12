package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;

/**
 * Completes the table of a join whose parts the splits of its input have made; these yield no rows,
 * nor does this.
 */
final class JoinTableOperator implements SinkOperator {
  private final HashJoin join;
  private JoinBuild built;

  JoinTableOperator(HashJoin join) {
    this.join = join;
  }

  @Override
  public Schema outputSchema() {
    return join.spec().build();
  }

  /** Puts columns together, each thread of work another one. */
  private final class State implements SinkState {
    @Override
    public void addInput(RecordBatch batch) {
      batch.close();
      throw new IllegalStateException("splits that make a table yield no rows");
    }

    @Override
    public boolean finish() {
      return !join.construction().concatenateNext();
    }

    @Override
    public void close() {}
  }

  @Override
  public SinkState newLocal() {
    return new State();
  }

  @Override
  public void combine(SinkState local) {
    local.close();
  }

  @Override
  public void finish() {
    boolean more = true;
    while (more) {
      more = join.construction().concatenateNext();
    }
    built = join.construction().complete();
    join.built(built);
  }

  @Override
  public RecordBatch getOutput() {
    return null;
  }

  @Override
  public boolean sparesInput() {
    return built.yieldsNothing();
  }

  @Override
  public boolean isFinished() {
    return built != null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(built);
    closer.rethrow();
  }
}
