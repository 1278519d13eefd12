package io.ariadne.pipeline;

import io.ariadne.error.EngineException;
import io.ariadne.event.ThreadRecord;
import io.ariadne.fragment.control.FragmentWork;
import io.ariadne.operator.Operator;
import io.ariadne.operator.SplitSource;
import java.util.concurrent.CompletableFuture;

/** Combines the local states of a pipeline into its sink, one at a time, and finishes the sink. */
final class SinkFinishWork extends FragmentWork {
  private final PipelineRun pipeline;
  private SplitSource splits;
  private boolean skipsInput;
  private final OutOfMemoryRetry retry;

  /**
   * Whether all local states are combined and the sink's finish call is next, or is to be repeated.
   */
  private boolean isFinishing;

  SinkFinishWork(PipelineRun pipeline) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
    this.retry = pipeline.newCallRetry();
  }

  @Override
  protected CompletableFuture<Void> work() {
    ThreadRecord.current().workOn(pipeline.plan().sink().nodeId());
    long start = System.nanoTime();
    try {
      boolean more = true;
      while (more && hasTimeLeft()) {
        more = combineNext();
      }
      return more ? Operator.NOT_BLOCKED : null;
    } catch (EngineException e) {
      // Before that, ownership of a local state has passed to the sink.
      return retry.postponeCall(isFinishing && pipeline.sink().mayRepeat(), e);
    } finally {
      pipeline.sinkMetrics().addNanos(System.nanoTime() - start);
    }
  }

  @Override
  protected void finished() {
    handOverSplits();
    pipeline.sinkFinished(skipsInput);
  }

  @Override
  protected void abandon() {
    handOverSplits();
  }

  /** Passes the sink's output to the next pipeline if it consists of splits. */
  private void handOverSplits() {
    if (splits != null) {
      pipeline.handOverSplits(splits);
      splits = null;
    }
  }

  @Override
  protected String requester() {
    return pipeline.sinkName();
  }

  @Override
  public String toString() {
    return "finish of a sink at distance " + distance() + " of " + control();
  }

  /**
   * Combines one local state, or finishes the sink if none is left; returns whether there is more
   * to do.
   */
  private boolean combineNext() {
    PipelineDriver driver = nextDriver();
    if (driver == null) {
      if (!isFinishing) {
        isFinishing = true;
        pipeline.closeBuilds();
      }
      pipeline.sink().finish();
      isFinishing = false; // the calls below may not be repeated
      splits = pipeline.sink().takeSplits();
      skipsInput = pipeline.sink().provesOutputEmpty();
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
