package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;

/**
 * Base of the last sink of a build side. It yields no rows; once it has finished, the build side is
 * complete.
 */
abstract class BuildSink implements SinkOperator {
  private final HashJoin join;

  /** Null until the sink has finished. */
  private JoinBuild built;

  BuildSink(HashJoin join) {
    this.join = join;
  }

  final HashJoin join() {
    return join;
  }

  /** Returns the build side, or null before the sink has finished. */
  final JoinBuild built() {
    return built;
  }

  /** Completes and returns the build side; called once, and again after it was refused memory. */
  abstract JoinBuild complete();

  /** Publishes the build side to the join, unless another execution probes it. */
  void deliver(JoinBuild complete) {
    join.built(complete);
  }

  @Override
  public final Schema outputSchema() {
    return join.spec().build();
  }

  @Override
  public final void combine(SinkState local) {
    local.close();
  }

  @Override
  public final void finish() {
    built = complete();
    deliver(built);
  }

  /** Returns true: {@link #complete} may be called again. */
  @Override
  public final boolean mayRepeat() {
    return true;
  }

  @Override
  public final RecordBatch getOutput() {
    return null;
  }

  @Override
  public final boolean provesOutputEmpty() {
    return built.yieldsNothing();
  }

  @Override
  public final boolean isFinished() {
    return built != null;
  }
}
