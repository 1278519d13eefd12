package io.ariadne.operator.join;

import io.ariadne.operator.SinkState;

/**
 * Replaces the sinks of a build side when another execution has built it. Takes and yields no rows;
 * the build side stays its owner's.
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
