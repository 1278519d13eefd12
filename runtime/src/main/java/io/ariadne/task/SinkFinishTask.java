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
    long start = System.nanoTime();
    boolean more = true;
    while (more && mayGoOn()) {
      more = combineNext();
    }
    pipeline.sinkMetrics().addNanos(System.nanoTime() - start);
    return more ? Operator.NOT_BLOCKED : null;
  }

  @Override
  void finished() {
    pipeline.sinkFinished();
  }

  @Override
  String asker() {
    return pipeline.sinkName();
  }

  @Override
  public String toString() {
    return "finish of a sink at distance " + distance() + " of " + control();
  }

  /** Combines one local state or else finishes the sink; returns whether more is to be done. */
  private boolean combineNext() {
    Lane lane = nextLane();
    if (lane == null) {
      pipeline.sink().finish();
      return false;
    }
    pipeline.sink().combine(lane.takeLocal());
    lane.close();
    return true;
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
