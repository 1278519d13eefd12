package io.ariadne.task;

import java.util.concurrent.CompletableFuture;

/** Sends one batch through a lane or, without one, makes the lane yield what it has kept. */
final class LaneTask extends LaneWork {
  private boolean begun;

  LaneTask(PipelineRun pipeline, Lane lane, Admission admission) {
    super(pipeline, lane, admission);
  }

  @Override
  CompletableFuture<Void> work() {
    begin();
    CompletableFuture<Void> wait = drainLane();
    if (wait == null && admission().isFlush() && pipeline().sink() == null) {
      lane().close();
    }
    return wait;
  }

  @Override
  String what() {
    return admission().isFlush() ? "flush of a lane" : "batch " + admission().sequence();
  }

  private void begin() {
    if (begun) {
      return;
    }
    begun = true;
    lane().open(pipeline().context());
    if (admission().isFlush()) {
      lane().finish();
    } else {
      lane().offer(admission().takeInput());
    }
  }
}
