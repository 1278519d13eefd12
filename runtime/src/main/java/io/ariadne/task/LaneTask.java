package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.memory.Reservation;
import java.util.concurrent.CompletableFuture;

/** Sends one batch through a lane or, without one, makes the lane yield what it has kept. */
final class LaneTask extends LaneWork {
  private TaskMemory.Measure measure;
  private boolean begun;

  /** What the lane works on; 0 for a flush. */
  private long inputBytes;

  LaneTask(PipelineRun pipeline, Lane lane, Admission admission) {
    super(pipeline, lane, admission);
    this.measure = pipeline.memory().new Measure();
  }

  @Override
  CompletableFuture<Void> workOnAdmission() {
    CompletableFuture<Void> input = begin();
    if (input != null) {
      return input;
    }
    Reservation spent = admission().reservation();
    measure.begin(spent);
    CompletableFuture<Void> wait;
    try {
      wait = drainLane();
      while (wait == null && (goesOn() || lane().flush())) {
        wait = drainLane();
      }
    } finally {
      measure.end();
    }
    if (wait != null && !wait.isDone() && spent != null) {
      // Who waits needs no memory.
      spent.shrink(Long.MAX_VALUE);
    }
    if (wait == null && inputBytes > 0) {
      measure.done(inputBytes);
    }
    if (wait == null && admission().isFlush() && pipeline().sink() == null) {
      lane().close();
    }
    return wait;
  }

  /**
   * Gives the lane the next batch, too, if one waits while rows of this one are kept back for more;
   * returns whether there was one. This one is used up then.
   */
  private boolean goesOn() {
    boolean mayFollow = inputBytes > 0 && mayGoOn() && lane().keepsBack() && !lane().isSaturated();
    if (!mayFollow || admission().reservation() != null) {
      return false;
    }
    RecordBatch input;
    long bytes;
    control().lock();
    try {
      Admission next = pipeline().follower(admission());
      bytes = next == null ? 0 : next.inputBytes();
      input = next == null ? null : next.takeInputIfInMemory();
      if (input == null) {
        return false;
      }
      lane().offer(input);
      pipeline().follow(admission());
      goOnWith(next);
    } finally {
      control().unlock();
    }
    measure.end();
    measure.done(inputBytes);
    measure = pipeline().memory().new Measure();
    measure.begin(null);
    inputBytes = bytes;
    return true;
  }

  /** Returns whether there is memory enough to begin, under the lock, or takes it. */
  private boolean isPrepared() {
    TaskMemory memory = pipeline().memory();
    if (admission().isPrepared() || admission().isLoading() || !memory.isScarce()) {
      return true;
    }
    Reservation reserved = memory.tryReserve(toString(), inputBytes);
    if (reserved != null) {
      admission().prepare(reserved);
    }
    return reserved != null;
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
        inputBytes = admission().inputBytes();
        boolean isThere = !admission().isToBeLoaded() && isPrepared();
        input = isThere ? admission().takeInputIfInMemory() : null;
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
