package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.operator.Operator;
import java.util.concurrent.CompletableFuture;

/** Work that sends what was let into a pipeline through one of its lanes. */
abstract class LaneWork extends FragmentTask {
  private final PipelineRun pipeline;
  private final Lane lane;
  private Admission admission;
  private boolean hasEmitted;

  LaneWork(PipelineRun pipeline, Lane lane, Admission admission) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
    this.lane = lane;
    this.admission = admission;
  }

  final PipelineRun pipeline() {
    return pipeline;
  }

  final Lane lane() {
    return lane;
  }

  final Admission admission() {
    return admission;
  }

  /** Has what the lane does from now on be caused by another batch, the one right behind. */
  final void goOnWith(Admission next) {
    admission = next;
  }

  @Override
  final CompletableFuture<Void> work() {
    try {
      return workOnAdmission();
    } catch (Throwable e) { // user code throws checked exceptions that no signature names
      passKeptBack(failedAt());
      throw e;
    }
  }

  /** Works as {@link #work()} does. */
  abstract CompletableFuture<Void> workOnAdmission();

  /** Returns the number of the lane's operator at which work has failed, -1 for its input. */
  int failedAt() {
    return lane.activeIndex();
  }

  /**
   * Has the rows that are kept back behind what has failed go on. They come before those that it
   * failed for, so what was kept back could fail first, or be put out.
   */
  private void passKeptBack(int failed) {
    try {
      while (!control().isStopped() && lane.flushBehind(failed)) {
        boolean more = true;
        while (more && !control().isStopped()) {
          more = lane.stepBehind(failed, this::emit);
        }
      }
    } catch (Throwable e) { // as above
      passKeptBack(lane.activeIndex());
      throw e;
    }
  }

  /**
   * Lets the lane work until it has nothing to do, checks then that nothing is left in it.
   *
   * @return null when it has nothing to do, else as {@link #work()}
   */
  final CompletableFuture<Void> drainLane() {
    boolean more = true;
    while (more && mayGoOn()) {
      CompletableFuture<Void> room =
          hasEmitted && lane.hasOutput() ? pipeline.roomFor(admission) : null;
      if (room != null) {
        return room;
      }
      more = lane.step(this::emit);
    }
    if (more) {
      return Operator.NOT_BLOCKED;
    }
    CompletableFuture<Void> blocked = lane.blockedOn();
    if (blocked == null) {
      lane.checkQuiet();
    }
    return blocked;
  }

  @Override
  final void finished() {
    pipeline.laneFinished(lane, admission);
  }

  @Override
  final void failed(Throwable problem) {
    pipeline.failAt(admission.sequence(), problem);
  }

  @Override
  String asker() {
    return lane.active() + " for " + what();
  }

  /** Returns what is sent through the lane. */
  abstract String what();

  @Override
  public final String toString() {
    return what() + " at distance " + distance() + " of " + control();
  }

  private void emit(RecordBatch output) {
    hasEmitted = true;
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
