package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.fragment.control.FragmentWork;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.SinkOperator;
import java.util.concurrent.CompletableFuture;

/** Takes one batch out of a finished sink for the pipeline that reads it. */
final class SinkOutputWork extends FragmentWork {
  private final PipelineRun source;
  private final PipelineRun target;
  private final OutOfMemoryRetry retry;
  private RecordBatch batch;
  private boolean ended;

  SinkOutputWork(PipelineRun source, PipelineRun target) {
    super(source.control(), target.distance());
    this.source = source;
    this.target = target;
    this.retry = source.newCallRetry();
  }

  @Override
  protected CompletableFuture<Void> work() {
    SinkOperator sink = source.sink();
    NodeMetrics metrics = source.sinkMetrics();
    ThreadRecord.current().workOn(source.plan().sink().nodeId());
    long start = System.nanoTime();
    try {
      batch = sink.isFinished() ? null : sink.getOutput();
    } catch (EngineException e) {
      return retry.postponeCall(sink.mayRepeat(), e);
    } finally {
      metrics.addNanos(System.nanoTime() - start);
    }
    if (batch != null) {
      metrics.addOutput(batch.rowCount(), batch.sizeInBytes());
    }
    ended = sink.isFinished();
    if (ended) {
      source.closeSink();
    } else if (batch == null) {
      String name = sink.getClass().getName();
      throw new EngineException(
          ErrorCode.INTERNAL, "sink " + name + " yields neither output nor its end");
    }
    return null;
  }

  @Override
  protected void finished() {
    RecordBatch pulled = batch;
    batch = null;
    target.pulled(pulled, ended);
  }

  @Override
  protected void failed(Throwable problem) {
    target.inputFailed(problem);
  }

  @Override
  protected void abandon() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  @Override
  protected String requester() {
    return source.sinkName();
  }

  @Override
  public String toString() {
    return "output of a sink at distance " + distance() + " of " + control();
  }
}
