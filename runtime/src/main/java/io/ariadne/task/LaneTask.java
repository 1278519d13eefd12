package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import java.util.concurrent.CompletableFuture;

/** Sends one batch through a lane or, without one, makes the lane yield what it has kept. */
final class LaneTask extends LaneWork {
  private boolean begun;

  LaneTask(PipelineRun pipeline, Lane lane, Admission admission) {
    super(pipeline, lane, admission);
  }

  @Override
  CompletableFuture<Void> work() {
    CompletableFuture<Void> input = begin();
    if (input != null) {
      return input;
    }
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

  /** Gives the lane what it is to work on; returns what that has to wait for, or null. */
  private CompletableFuture<Void> begin() {
    if (begun) {
      return null;
    }
    lane().open(pipeline().context());
    if (admission().isFlush()) {
      lane().finish();
    } else {
      RecordBatch input = null;
      control().lock();
      try {
        input = admission().takeInputIfInMemory();
        if (input == null) {
          return pipeline().load(admission());
        }
      } finally {
        control().unlock();
      }
      lane().offer(input);
    }
    begun = true;
    return null;
  }
}
