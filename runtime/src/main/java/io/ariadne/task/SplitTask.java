package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.operator.Operator;
import io.ariadne.operator.Split;
import java.util.concurrent.CompletableFuture;

/** Drives one split of a scan and sends its batches, one after the other, through a lane. */
final class SplitTask extends LaneWork {
  private boolean over;
  private boolean reading;

  SplitTask(PipelineRun pipeline, Lane lane, Admission admission) {
    super(pipeline, lane, admission);
  }

  @Override
  CompletableFuture<Void> workOnAdmission() {
    lane().open(pipeline().context());
    flushLane();
    while (mayGoOn()) {
      CompletableFuture<Void> wait = drainLane();
      if (wait != null) {
        return wait;
      }
      wait = over ? null : feedLane();
      boolean mayPause = wait != null || over || pipeline().memory().isScarce();
      boolean goesOn = mayPause && lane().flush();
      if (!goesOn && (wait != null || over)) {
        return wait;
      }
    }
    return Operator.NOT_BLOCKED;
  }

  /** Has go on what the last turn has kept back: somebody may wait for it. */
  private void flushLane() {
    boolean more = true;
    while (more) {
      more = lane().flush();
    }
  }

  @Override
  void endInput() {
    if (!over) {
      over = true;
      reading = true;
      admission().takeSplit().close();
      reading = false;
    }
  }

  @Override
  int failedAt() {
    return reading ? -1 : super.failedAt();
  }

  @Override
  String what() {
    return "split " + admission().sequence();
  }

  @Override
  String asker() {
    return reading ? pipeline().feed() + ", " + what() : super.asker();
  }

  /** Gives the lane the next batch; returns what is to be waited for, or null. */
  private CompletableFuture<Void> feedLane() {
    Split split = admission().split();
    CompletableFuture<Void> blocked = split.isBlocked();
    if (!blocked.isDone() || blocked.isCompletedExceptionally()) {
      return blocked;
    }
    CompletableFuture<Void> room = lane().isSaturated() ? end() : awaitTurn();
    if (room != null || over) {
      return room;
    }
    reading = true;
    RecordBatch batch = pipeline().feed().nextBatch(split);
    reading = false;
    if (batch == null) {
      return end();
    }
    if (batch.rowCount() == 0) {
      batch.close();
    } else {
      take(batch);
    }
    return null;
  }

  /** Gives the lane a batch, which counts as in flight until the next one is asked for. */
  private void take(RecordBatch batch) {
    BatchMemory memory = BatchMemory.of(batch);
    lane().offer(batch);
    control().lock();
    try {
      pipeline().laneHolds(admission(), memory);
    } finally {
      control().unlock();
    }
  }

  /** Returns null when the split may yield its next batch, else what it has to wait for. */
  private CompletableFuture<Void> awaitTurn() {
    control().lock();
    try {
      pipeline().laneHolds(admission(), BatchMemory.NONE);
      if (pipeline().wants(admission())) {
        return pipeline().roomFor(admission());
      }
    } finally {
      control().unlock();
    }
    return end();
  }

  /** Closes the split; returns null. */
  private CompletableFuture<Void> end() {
    endInput();
    return null;
  }
}
