package io.ariadne.operator.join;

import io.ariadne.operator.SinkState;

/**
 * Stands for the sinks of a build side that others have built: takes no rows, yields none, and
 * leaves what was built to its owner.
 */
final class SharedBuildOperator extends BuildSink {
  private final JoinBuild shared;

  SharedBuildOperator(HashJoin join, JoinBuild shared) {
    super(join);
    this.shared = shared;
  }

  @Override
  public SinkState newLocal() {
    return new NoRows("a build side that is shared takes no rows");
  }

  @Override
  JoinBuild complete() {
    return shared;
  }

  @Override
  public void close() {}
}
