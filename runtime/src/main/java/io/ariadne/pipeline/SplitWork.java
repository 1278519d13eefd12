package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.operator.Operator;
import io.ariadne.operator.Split;
import java.util.concurrent.CompletableFuture;

/** Drives one split of a scan and sends its batches, one after the other, through a driver. */
final class SplitWork extends DriverWork {
  private final OutOfMemoryRetry retry = OutOfMemoryRetry.ofCall();
  private boolean over;
  private boolean reading;

  SplitWork(PipelineRun pipeline, PipelineDriver driver, InFlightBatch inFlight) {
    super(pipeline, driver, inFlight);
  }

  @Override
  CompletableFuture<Void> workOnInput() {
    CompletableFuture<Void> pause = driver().open(pipeline().context());
    if (pause != null) {
      return pause;
    }
    flushDriver();
    while (mayGoOn()) {
      CompletableFuture<Void> wait = runDriver();
      if (wait != null) {
        return wait;
      }
      wait = over ? null : feedDriver();
      boolean mayPause = wait != null || over || pipeline().memory().isScarce();
      boolean goesOn = mayPause && driver().flush();
      if (!goesOn && (wait != null || over)) {
        return wait;
      }
    }
    return Operator.NOT_BLOCKED;
  }

  /** Emits the rows that the last time slice left buffered: a consumer may wait for them. */
  private void flushDriver() {
    boolean more = true;
    while (more) {
      more = driver().flush();
    }
  }

  @Override
  void endInput() {
    if (!over) {
      over = true;
      reading = true;
      inFlight().takeSplit().close();
      reading = false;
    }
  }

  @Override
  int failedAt() {
    return reading ? -1 : super.failedAt();
  }

  @Override
  String what() {
    return "split " + inFlight().sequence();
  }

  @Override
  protected String asker() {
    return reading ? pipeline().feed() + ", " + what() : super.asker();
  }

  /** Gives the driver the next batch; returns what is to be waited for, or null. */
  private CompletableFuture<Void> feedDriver() {
    Split split = inFlight().split();
    CompletableFuture<Void> blocked = split.isBlocked();
    if (!blocked.isDone() || blocked.isCompletedExceptionally()) {
      return blocked;
    }
    CompletableFuture<Void> room = driver().isSaturated() ? end() : awaitTurn();
    if (room != null || over) {
      return room;
    }
    reading = true;
    RecordBatch batch;
    try {
      batch = pipeline().feed().nextBatch(split);
      retry.restart();
    } catch (EngineException e) {
      CompletableFuture<Void> pause = retry.postponeCall(split, e);
      reading = false;
      return pause;
    }
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

  /** Gives the driver a batch, which counts as in flight until the next one is asked for. */
  private void take(RecordBatch batch) {
    BatchMemory memory = BatchMemory.of(batch);
    driver().offer(batch);
    control().lock();
    try {
      pipeline().driverHolds(inFlight(), memory);
    } finally {
      control().unlock();
    }
  }

  /** Returns null when the split may yield its next batch, else what it has to wait for. */
  private CompletableFuture<Void> awaitTurn() {
    control().lock();
    try {
      pipeline().driverHolds(inFlight(), BatchMemory.NONE);
      if (pipeline().wants(inFlight())) {
        return pipeline().roomFor(inFlight());
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
