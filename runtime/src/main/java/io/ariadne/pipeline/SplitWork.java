package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.operator.Operator;
import io.ariadne.operator.Split;
import java.util.concurrent.CompletableFuture;

/** Reads one split and sends its batches, one after the other, through a driver. */
final class SplitWork extends DriverWork {
  private final OutOfMemoryRetry retry;
  private boolean over;
  private boolean reading;

  SplitWork(PipelineRun pipeline, PipelineDriver driver, InFlightBatch inFlight) {
    super(pipeline, driver, inFlight);
    this.retry = pipeline.newCallRetry();
  }

  @Override
  CompletableFuture<Void> workOnInput() {
    CompletableFuture<Void> pause = driver().open(pipeline().context());
    if (pause != null) {
      return pause;
    }
    flushEarlierRows();
    while (hasTimeLeft()) {
      CompletableFuture<Void> wait = runDriver();
      if (wait != null) {
        return wait;
      }
      wait = over ? null : offerNextBatch();
      boolean mayPause = wait != null || over || pipeline().memory().isScarce();
      boolean hasFlushed = mayPause && flushDriver();
      if (!hasFlushed && (wait != null || over)) {
        return wait;
      }
    }
    return Operator.NOT_BLOCKED;
  }

  /** Emits the rows that the last time slice left buffered: a consumer may wait for them. */
  private void flushEarlierRows() {
    boolean more = true;
    while (more) {
      more = flushDriver();
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
  String inputName() {
    return "split " + inFlight().sequence();
  }

  @Override
  protected String requester() {
    return reading ? pipeline().splitSupplier() + ", " + inputName() : super.requester();
  }

  /** Gives the driver the next batch of the split; returns what to wait for, or null. */
  private CompletableFuture<Void> offerNextBatch() {
    Split split = inFlight().split();
    CompletableFuture<Void> blocked = split.isBlocked();
    if (!blocked.isDone() || blocked.isCompletedExceptionally()) {
      return blocked;
    }
    if (!retry.isDue()) {
      return retry.pause();
    }
    CompletableFuture<Void> pressure = driver().isSaturated() ? end() : consumerBackPressure();
    if (pressure != null || over) {
      return pressure;
    }
    reading = true;
    RecordBatch batch;
    try {
      batch = pipeline().splitSupplier().nextBatch(split);
      retry.restart();
    } catch (EngineException e) {
      CompletableFuture<Void> pause = retry.postponeCall(split.mayRepeat(), e);
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
      pipeline().setHeldMemory(inFlight(), memory);
    } finally {
      control().unlock();
    }
  }

  /**
   * Returns null if the split may yield its next batch, else what it must wait for. Ends a split
   * whose output is not wanted.
   */
  private CompletableFuture<Void> consumerBackPressure() {
    control().lock();
    try {
      pipeline().setHeldMemory(inFlight(), BatchMemory.NONE);
      if (pipeline().wants(inFlight())) {
        return pipeline().backPressure(inFlight());
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
