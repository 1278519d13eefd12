package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.operator.Operator;
import java.util.concurrent.CompletableFuture;

/** Sends one batch through a lane or, without one, makes the lane yield what it has kept. */
final class LaneTask extends FragmentTask {
  private final PipelineRun pipeline;
  private final Lane lane;
  private final Admission admission;
  private boolean begun;

  LaneTask(PipelineRun pipeline, Lane lane, Admission admission) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
    this.lane = lane;
    this.admission = admission;
  }

  @Override
  CompletableFuture<Void> work() {
    begin();
    boolean more = true;
    while (more && mayGoOn()) {
      more = lane.step(this::emit);
    }
    if (more) {
      return Operator.NOT_BLOCKED;
    }
    CompletableFuture<Void> blocked = lane.blockedOn();
    if (blocked != null) {
      return blocked;
    }
    lane.checkQuiet();
    if (admission.isFlush() && pipeline.sink() == null) {
      lane.close();
    }
    return null;
  }

  @Override
  void finished() {
    pipeline.laneFinished(lane, admission);
  }

  @Override
  void failed(Throwable problem) {
    pipeline.failAt(admission.sequence(), problem);
  }

  @Override
  public String toString() {
    return (admission.isFlush() ? "flush of a lane" : "batch " + admission.sequence())
        + " at distance "
        + distance()
        + " of "
        + control();
  }

  private void begin() {
    if (begun) {
      return;
    }
    begun = true;
    lane.open(pipeline.context());
    if (admission.isFlush()) {
      lane.finish();
    } else {
      lane.offer(admission.takeInput());
    }
  }

  private void emit(RecordBatch output) {
    control().lock();
    try {
      if (!control().isStopped()) {
        pipeline.emit(admission, output);
        return;
      }
    } finally {
      control().unlock();
    }
    output.close();
  }
}
