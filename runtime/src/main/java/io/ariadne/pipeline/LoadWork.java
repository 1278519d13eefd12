package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.compute.ComputeExecutor;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.fragment.control.FragmentWork;
import io.ariadne.fragment.memory.PipelineMemory;
import io.ariadne.memory.Reservation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Prepares a batch for a driver. Runs on a preload thread, so that no compute thread waits. If
 * memory is scarce, it reserves memory for the work and waits only a short time for it. If the
 * batch was spilled, it reads the batch back.
 */
final class LoadWork extends FragmentWork {
  private final PipelineRun pipeline;
  private final InFlightBatch inFlight;

  /**
   * How many times to pause and try again after the first attempt to reserve memory failed. When
   * all attempts have failed, the work begins without a reservation.
   */
  private static final int RESERVATION_RETRIES = 6;

  /**
   * How many times to pause and try again after there was no memory to read the batch back. When
   * all attempts have failed, the pipeline fails.
   */
  private static final int READ_RETRIES = 100;

  /** The longest pause before another attempt to read is 2 to this power, in milliseconds. */
  private static final int MAX_PAUSE_EXPONENT = 8;

  private boolean isPrepared;
  private int reservationAttempts;
  private int failedReads;
  private Reservation reservation;
  private RecordBatch batch;

  LoadWork(PipelineRun pipeline, InFlightBatch inFlight) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
    this.inFlight = inFlight;
    this.isPrepared = inFlight.isPrepared();
  }

  @Override
  public ComputeExecutor executor() {
    return control().preload();
  }

  @Override
  protected CompletableFuture<Void> work() {
    CompletableFuture<Void> wait = reserve();
    if (wait == null && !inFlight.waiting().isInMemory()) {
      return read();
    }
    return wait;
  }

  /**
   * Reads the batch back and returns null. If there is no memory for the batch, the batch stays
   * spilled, and the pause before the next attempt is returned.
   */
  private CompletableFuture<Void> read() {
    ThreadRecord thread = ThreadRecord.current();
    boolean before = thread.mayWait(false);
    try {
      batch = inFlight.waiting().take();
      return null;
    } catch (EngineException e) {
      failedReads++;
      if (e.code() != ErrorCode.OUT_OF_MEMORY || failedReads > READ_RETRIES) {
        throw e;
      }
      giveUpReservation();
      return pause(Math.min(failedReads, MAX_PAUSE_EXPONENT));
    } finally {
      thread.mayWait(before);
    }
  }

  /**
   * Releases the reservation. A waiting work item needs no memory, and other work may be waiting
   * for that memory.
   */
  private void giveUpReservation() {
    if (reservation != null) {
      reservation.close();
      reservation = null;
    }
    control().lock();
    try {
      inFlight.unprepare();
    } finally {
      control().unlock();
    }
    isPrepared = false;
  }

  /** Returns a future that completes after 2 to the power of an exponent, in milliseconds. */
  private static CompletableFuture<Void> pause(int exponent) {
    return new CompletableFuture<Void>()
        .completeOnTimeout(null, 1L << exponent, TimeUnit.MILLISECONDS);
  }

  /** Reserves memory for the work; returns what to wait for before the next attempt, or null. */
  private CompletableFuture<Void> reserve() {
    PipelineMemory memory = pipeline.memory();
    boolean isDone = isPrepared || reservation != null || reservationAttempts > RESERVATION_RETRIES;
    if (isDone || !memory.isScarce()) {
      return null;
    }
    reservationAttempts++;
    long bytes = inFlight.inputBytes();
    reservation = memory.tryReserve(toString(), bytes);
    if (reservation == null && memory.spill(bytes)) {
      reservation = memory.tryReserve(toString(), bytes);
    }
    if (reservation != null || reservationAttempts > RESERVATION_RETRIES) {
      return null;
    }
    return pause(reservationAttempts);
  }

  @Override
  protected void finished() {
    RecordBatch loaded = batch;
    batch = null;
    if (!isPrepared) {
      inFlight.prepare(reservation);
    }
    reservation = null;
    inFlight.loaded(loaded);
  }

  @Override
  protected void failed(Throwable problem) {
    if (!inFlight.isDropped()) {
      pipeline.failAt(inFlight.sequence(), problem);
    }
  }

  @Override
  protected void abandon() {
    Closer closer = new Closer();
    closer.close(batch);
    batch = null;
    closer.close(reservation);
    reservation = null;
    closer.rethrow();
  }

  @Override
  protected String requester() {
    return "preparing batch " + inFlight.sequence();
  }

  @Override
  public String toString() {
    return "preparation of batch " + inFlight.sequence() + " of " + control();
  }
}
