package io.ariadne.pipeline;

import io.ariadne.fragment.control.FragmentWork;
import io.ariadne.operator.Split;
import java.util.concurrent.CompletableFuture;

/** Asks a source of splits for its next split. */
final class SplitPullWork extends FragmentWork {
  private final PipelineRun pipeline;
  private Split split;
  private long splitBytes;

  SplitPullWork(PipelineRun pipeline) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
  }

  @Override
  protected CompletableFuture<Void> work() {
    CompletableFuture<Void> blocked = pipeline.splitSupplier().isBlocked();
    if (!blocked.isDone()) {
      return blocked;
    }
    split = pipeline.splitSupplier().nextSplit();
    splitBytes = split == null ? 0 : split.memoryInBytes();
    return null;
  }

  @Override
  protected void finished() {
    Split pulled = split;
    split = null;
    pipeline.splitPulled(pulled, splitBytes);
  }

  @Override
  protected void failed(Throwable problem) {
    pipeline.inputFailed(problem);
  }

  @Override
  protected void abandon() {
    if (split != null) {
      pipeline.splitSupplier().drop(split);
      split = null;
    }
  }

  @Override
  protected String requester() {
    return pipeline.splitSupplier().toString();
  }

  @Override
  public String toString() {
    return "next split of a scan at distance " + distance() + " of " + control();
  }
}
