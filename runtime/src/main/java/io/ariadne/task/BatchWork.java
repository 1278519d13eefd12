package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.memory.Reservation;
import java.util.concurrent.CompletableFuture;

/** Sends one batch through a driver or, without one, makes the driver yield what it has kept. */
final class BatchWork extends DriverWork {
  private TaskMemory.Measure measure;
  private boolean begun;

  /** What the driver works on; 0 for a flush. */
  private long inputBytes;

  BatchWork(PipelineRun pipeline, PipelineDriver driver, InFlightBatch inFlight) {
    super(pipeline, driver, inFlight);
    this.measure = pipeline.memory().new Measure();
  }

  @Override
  CompletableFuture<Void> workOnAdmission() {
    CompletableFuture<Void> input = begin();
    if (input != null) {
      return input;
    }
    Reservation spent = inFlight().reservation();
    measure.begin(spent);
    CompletableFuture<Void> wait;
    try {
      wait = drainDriver();
      while (wait == null && (goesOn() || driver().flush())) {
        wait = drainDriver();
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
    if (wait == null && inFlight().isFlush() && pipeline().sink() == null) {
      driver().close();
    }
    return wait;
  }

  /**
   * Gives the driver the next batch, too, if one waits while rows of this one are kept back for
   * more; returns whether there was one. This one is used up then.
   */
  private boolean goesOn() {
    boolean mayFollow =
        inputBytes > 0 && mayGoOn() && driver().hasBufferedRows() && !driver().isSaturated();
    if (!mayFollow || inFlight().reservation() != null) {
      return false;
    }
    RecordBatch input;
    long bytes;
    control().lock();
    try {
      InFlightBatch next = pipeline().follower(inFlight());
      bytes = next == null ? 0 : next.inputBytes();
      input = next == null ? null : next.takeInputIfInMemory();
      if (input == null) {
        return false;
      }
      driver().offer(input);
      pipeline().follow(inFlight());
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
  String what() {
    return inFlight().isFlush() ? "flush of a driver" : "batch " + inFlight().sequence();
  }

  /** Gives the driver what it is to work on; returns what that has to wait for, or null. */
  private CompletableFuture<Void> begin() {
    if (begun) {
      return null;
    }
    driver().open(pipeline().context());
    if (inFlight().isFlush()) {
      driver().finish();
    } else {
      RecordBatch input = null;
      control().lock();
      try {
        inputBytes = inFlight().inputBytes();
        boolean isThere = !inFlight().isToBeLoaded() && isPrepared();
        input = isThere ? inFlight().takeInputIfInMemory() : null;
        if (input == null) {
          return pipeline().load(inFlight());
        }
      } finally {
        control().unlock();
      }
      driver().offer(input);
    }
    begun = true;
    return null;
  }
}
