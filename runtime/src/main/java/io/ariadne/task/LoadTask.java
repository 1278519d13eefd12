package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.compute.ComputeExecutor;
import java.util.concurrent.CompletableFuture;

/**
 * Reads a batch back that a lane is to work on and that has left memory, on a thread that is none
 * of the compute threads: those wait for no disk.
 */
final class LoadTask extends FragmentTask {
  private final PipelineRun pipeline;
  private final Admission admission;
  private RecordBatch batch;

  LoadTask(PipelineRun pipeline, Admission admission) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
    this.admission = admission;
  }

  @Override
  ComputeExecutor executor() {
    return control().preload();
  }

  @Override
  CompletableFuture<Void> work() {
    batch = admission.waiting().take();
    return null;
  }

  @Override
  void finished() {
    RecordBatch loaded = batch;
    batch = null;
    admission.loaded(loaded);
  }

  @Override
  void failed(Throwable problem) {
    pipeline.failAt(admission.sequence(), problem);
  }

  @Override
  void abandon() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  @Override
  String asker() {
    return "reading back batch " + admission.sequence();
  }

  @Override
  public String toString() {
    return "reading back of batch " + admission.sequence() + " of " + control();
  }
}
