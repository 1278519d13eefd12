package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.operator.Operator;
import java.util.concurrent.CompletableFuture;

/** Work that sends what was let into a pipeline through one of its lanes. */
abstract class LaneWork extends FragmentTask {
  /** An operator that so often in a row is neither blocked nor has output has a bug. */
  private static final int MOST_LOST_RACES = 1000;

  private final PipelineRun pipeline;
  private final Lane lane;
  private Admission admission;
  private boolean hasEmitted;

  /** What has failed: thrown when nothing is left of what came before; null for nothing. */
  private Throwable failure;

  /** At which of the lane's operators. */
  private int failedIndex;

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
    if (failure == null) {
      try {
        return workOnAdmission();
      } catch (Throwable e) { // user code throws checked exceptions that no signature names
        failure = e;
        failedIndex = failedAt();
      }
    }
    CompletableFuture<Void> wait = passKeptBack();
    if (wait != null) {
      return wait;
    }
    if (lane.hasEndedBehind(failedIndex)) {
      endInput();
      return drainLane();
    }
    if (failedIndex >= 0) {
      lane.activate(failedIndex);
    }
    throw LaneWork.<RuntimeException>unchanged(failure);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException unchanged(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** Works as {@link #work()} does. */
  abstract CompletableFuture<Void> workOnAdmission();

  /** Returns the number of the lane's operator at which work has failed, -1 for its input. */
  int failedAt() {
    return lane.activeIndex();
  }

  /** Gives up the rest of the input, which nobody wants. */
  void endInput() {}

  /**
   * Has the rows go on that are kept back behind what has failed. They come before those that it
   * failed for: they are put out first, one of them may fail first, or they may be all that is
   * wanted.
   *
   * @return null when nothing is left behind what has failed first, else as {@link #work()}
   */
  private CompletableFuture<Void> passKeptBack() {
    boolean more = true;
    while (more && mayGoOn()) {
      CompletableFuture<Void> room = roomForOutput();
      if (room != null) {
        return room;
      }
      try {
        more = lane.stepBehind(failedIndex, this::emit) || lane.flushBehind(failedIndex);
      } catch (Throwable e) { // as above
        failure = e;
        failedIndex = lane.activeIndex();
      }
    }
    return more ? Operator.NOT_BLOCKED : lane.blockedBehind(failedIndex);
  }

  /** Returns what is to be waited for before the lane may yield output; null for nothing. */
  private CompletableFuture<Void> roomForOutput() {
    return hasEmitted && lane.hasOutput() ? pipeline.roomFor(admission) : null;
  }

  /**
   * Lets the lane work until it has nothing to do and nothing is left in it.
   *
   * @return null when it has nothing to do, else as {@link #work()}
   */
  final CompletableFuture<Void> drainLane() {
    boolean more = true;
    while (more && mayGoOn()) {
      CompletableFuture<Void> room = roomForOutput();
      if (room != null) {
        return room;
      }
      more = lane.step(this::emit);
    }
    if (more) {
      return Operator.NOT_BLOCKED;
    }
    EngineException left = null;
    for (int i = 0; i < MOST_LOST_RACES; i++) {
      CompletableFuture<Void> blocked = lane.blockedOn();
      if (blocked != null) {
        return blocked;
      }
      if (lane.step(this::emit)) {
        return Operator.NOT_BLOCKED; // what had blocked it ended just now
      }
      left = lane.left();
      if (left == null) {
        return null;
      }
      // What it waited for came, and another thread took it before this one did.
    }
    throw left;
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
