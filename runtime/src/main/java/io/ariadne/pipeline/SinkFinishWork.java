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
  private boolean isInputSpared;
  private final OutOfMemoryRetry retry = OutOfMemoryRetry.ofCall();

  /** Whether every local state is combined and the sink's finish is to be called, or repeated. */
  private boolean isFinishing;

  SinkFinishWork(PipelineRun pipeline) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
  }

  @Override
  protected CompletableFuture<Void> work() {
    ThreadRecord.current().workOn(pipeline.plan().sink().nodeId());
    long start = System.nanoTime();
    try {
      boolean more = true;
      while (more && mayGoOn()) {
        more = combineNext();
      }
      return more ? Operator.NOT_BLOCKED : null;
    } catch (EngineException e) {
      if (!isFinishing) {
        throw e; // a local state has changed owner
      }
      return retry.postponeCall(pipeline.sink(), e);
    } finally {
      pipeline.sinkMetrics().addNanos(System.nanoTime() - start);
    }
  }

  @Override
  protected void finished() {
    giveSplits();
    pipeline.sinkFinished(isInputSpared);
  }

  @Override
  protected void abandon() {
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
  protected String asker() {
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
      if (!isFinishing) {
        isFinishing = true;
        pipeline.closeBuilds();
      }
      pipeline.sink().finish();
      isFinishing = false; // what follows may not be repeated
      splits = pipeline.sink().takeSplits();
      isInputSpared = pipeline.sink().sparesInput();
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
