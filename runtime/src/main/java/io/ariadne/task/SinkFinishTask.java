package io.ariadne.task;

import io.ariadne.operator.Operator;
import java.util.concurrent.CompletableFuture;

/** Combines the local states of a pipeline into its sink, one at a time, and finishes the sink. */
final class SinkFinishTask extends FragmentTask {
  private final PipelineRun pipeline;

  SinkFinishTask(PipelineRun pipeline) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
  }

  @Override
  CompletableFuture<Void> work() {
    Lane lane = nextLane();
    long start = System.nanoTime();
    if (lane != null) {
      pipeline.sink().combine(lane.takeLocal());
      lane.close();
    } else {
      pipeline.sink().finish();
    }
    pipeline.sinkMetrics().addNanos(System.nanoTime() - start);
    return lane == null ? null : Operator.NOT_BLOCKED;
  }

  @Override
  void finished() {
    pipeline.sinkFinished();
  }

  @Override
  public String toString() {
    return "finish of a sink at distance " + distance() + " of " + control();
  }

  private Lane nextLane() {
    control().lock();
    try {
      return pipeline.pollFinishedLane();
    } finally {
      control().unlock();
    }
  }
}
