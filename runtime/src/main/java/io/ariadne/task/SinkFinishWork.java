package io.ariadne.task;

import io.ariadne.event.ThreadRecord;
import io.ariadne.operator.Operator;
import io.ariadne.operator.SplitSource;
import java.util.concurrent.CompletableFuture;

/** Combines the local states of a pipeline into its sink, one at a time, and finishes the sink. */
final class SinkFinishWork extends FragmentWork {
  private final PipelineRun pipeline;
  private SplitSource splits;
  private boolean isInputSpared;

  SinkFinishWork(PipelineRun pipeline) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
  }

  @Override
  CompletableFuture<Void> work() {
    ThreadRecord.current().workOn(pipeline.plan().sink().nodeId());
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
    giveSplits();
    pipeline.sinkFinished(isInputSpared);
  }

  @Override
  void abandon() {
    giveSplits();
  }

  /** Hands over the sink's output if it has come in splits. */
  private void giveSplits() {
    if (splits != null) {
      pipeline.giveSplits(splits);
      splits = null;
    }
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
    PipelineDriver driver = nextDriver();
    if (driver == null) {
      pipeline.closeBuilds();
      pipeline.sink().finish();
      splits = pipeline.sink().takeSplits();
      isInputSpared = pipeline.sink().provesOutputEmpty();
      return false;
    }
    pipeline.sink().combine(driver.takeLocal());
    driver.close();
    return true;
  }

  private PipelineDriver nextDriver() {
    control().lock();
    try {
      return pipeline.pollFinishedDriver();
    } finally {
      control().unlock();
    }
  }
}
