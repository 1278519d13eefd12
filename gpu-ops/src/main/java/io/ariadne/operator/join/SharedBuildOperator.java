package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;

/**
 * Stands for the sinks of a build side that others have built: takes no rows, yields none, and
 * leaves what was built to its owner.
 */
final class SharedBuildOperator implements SinkOperator {
  private final HashJoin join;
  private final JoinBuild built;
  private boolean isFinished;

  SharedBuildOperator(HashJoin join, JoinBuild built) {
    this.join = join;
    this.built = built;
  }

  @Override
  public Schema outputSchema() {
    return join.spec().build();
  }

  @Override
  public SinkState newLocal() {
    return new NoRows("a build side that is shared takes no rows");
  }

  @Override
  public void combine(SinkState local) {
    local.close();
  }

  @Override
  public void finish() {
    join.built(built);
    isFinished = true;
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
    return isFinished;
  }

  @Override
  public void close() {}
}
