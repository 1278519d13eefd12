package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.fragment.memory.PipelineMemory;
import io.ariadne.memory.Reservation;
import java.util.concurrent.CompletableFuture;

/**
 * Sends one batch through a driver or, for a flush, makes the driver emit everything that its
 * operators hold.
 */
final class BatchWork extends DriverWork {
  private PipelineMemory.Measurement measurement;
  private boolean begun;

  /** Size of the batch that the driver works on; 0 for a flush. */
  private long inputBytes;

  BatchWork(PipelineRun pipeline, PipelineDriver driver, InFlightBatch inFlight) {
    super(pipeline, driver, inFlight);
    this.measurement = pipeline.memory().new Measurement();
  }

  @Override
  CompletableFuture<Void> workOnInput() {
    CompletableFuture<Void> input = begin();
    if (input != null) {
      return input;
    }
    Reservation spent = inFlight().reservation();
    measurement.begin(spent);
    CompletableFuture<Void> wait;
    try {
      wait = runDriver();
      while (wait == null && (continueWithNextBatch() || flushDriver())) {
        wait = runDriver();
      }
    } finally {
      measurement.end();
    }
    if (wait != null && !wait.isDone() && spent != null) {
      // A parked work item needs no memory.
      spent.shrink(Long.MAX_VALUE);
    }
    if (wait == null && inputBytes > 0) {
      measurement.done(inputBytes);
    }
    if (wait == null && inFlight().isFlush() && pipeline().sink() == null) {
      driver().close();
    }
    return wait;
  }

  /**
   * Gives the driver the next batch in order as well, if its operators buffer rows for a larger
   * batch and the next batch is queued. The current batch is complete then. Returns whether there
   * was such a batch.
   */
  private boolean continueWithNextBatch() {
    boolean mayFollow =
        inputBytes > 0 && hasTimeLeft() && driver().hasBufferedRows() && !driver().isSaturated();
    if (!mayFollow || inFlight().reservation() != null) {
      return false;
    }
    RecordBatch input;
    long bytes;
    control().lock();
    try {
      InFlightBatch next = pipeline().nextInOrder(inFlight());
      bytes = next == null ? 0 : next.inputBytes();
      input = next == null ? null : next.takeInputIfInMemory();
      if (input == null) {
        return false;
      }
      driver().offer(input);
      pipeline().advancePast(inFlight());
      continueWith(next);
    } finally {
      control().unlock();
    }
    inFlight().closeTaken();
    measurement.end();
    measurement.done(inputBytes);
    measurement = pipeline().memory().new Measurement();
    measurement.begin(null);
    inputBytes = bytes;
    return true;
  }

  /**
   * Returns, under the lock, whether work may begin: memory is plentiful, or was reserved now or
   * before.
   */
  private boolean isPrepared() {
    PipelineMemory memory = pipeline().memory();
    if (inFlight().isPrepared() || inFlight().isLoading() || !memory.isScarce()) {
      return true;
    }
    Reservation reserved = memory.tryReserve(toString(), inputBytes);
    if (reserved != null) {
      inFlight().prepare(reserved);
    }
    return reserved != null;
  }

  @Override
  String inputName() {
    return inFlight().isFlush() ? "flush of a driver" : "batch " + inFlight().sequence();
  }

  /**
   * Creates the driver's operators and gives it its input; returns what the work item must wait for
   * first, or null.
   */
  private CompletableFuture<Void> begin() {
    if (begun) {
      return null;
    }
    CompletableFuture<Void> pause = driver().open(pipeline().context());
    if (pause != null) {
      return pause;
    }
    if (inFlight().isFlush()) {
      driver().finish();
    } else {
      RecordBatch input = null;
      control().lock();
      try {
        inputBytes = inFlight().inputBytes();
        boolean isReady = !inFlight().needsLoading() && isPrepared();
        input = isReady ? inFlight().takeInputIfInMemory() : null;
        if (input == null) {
          return pipeline().load(inFlight());
        }
      } finally {
        control().unlock();
      }
      driver().offer(input);
      inFlight().closeTaken();
    }
    begun = true;
    return null;
  }
}
