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
 * Prepares a batch for a driver on a preload thread, so that no compute thread waits: reserves
 * memory for the work if memory is scarce, waiting for a short time only, and reads the batch back
 * if it was spilled.
 */
final class LoadWork extends FragmentWork {
  private final PipelineRun pipeline;
  private final InFlightBatch inFlight;

  /** How many times to ask for memory before work begins without a reservation. */
  private static final int ATTEMPTS = 6;

  /** How many times to try to read the batch back, with pauses of up to a quarter of a second. */
  private static final int READ_ATTEMPTS = 100;

  private static final int LONGEST_PAUSE = 8;

  private boolean isPrepared;
  private int attempts;
  private int reads;
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
   * Reads the batch back. If there is no memory for it, it stays on disk and this is tried again
   * later.
   */
  private CompletableFuture<Void> read() {
    ThreadRecord thread = ThreadRecord.current();
    boolean before = thread.mayWait(false);
    try {
      batch = inFlight.waiting().take();
      return null;
    } catch (EngineException e) {
      reads++;
      if (e.code() != ErrorCode.OUT_OF_MEMORY || reads > READ_ATTEMPTS) {
        throw e;
      }
      giveUpReservation();
      return pause(Math.min(reads, LONGEST_PAUSE));
    } finally {
      thread.mayWait(before);
    }
  }

  /**
   * Releases the reservation: a waiting work item needs no memory, and other work may wait for it.
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

  private static CompletableFuture<Void> pause(int failures) {
    return new CompletableFuture<Void>()
        .completeOnTimeout(null, 1L << failures, TimeUnit.MILLISECONDS);
  }

  /** Reserves memory for the work; returns what to wait for before the next attempt, or null. */
  private CompletableFuture<Void> reserve() {
    PipelineMemory memory = pipeline.memory();
    boolean isDone = isPrepared || reservation != null || attempts > ATTEMPTS;
    if (isDone || !memory.isScarce()) {
      return null;
    }
    attempts++;
    long bytes = inFlight.inputBytes();
    reservation = memory.tryReserve(toString(), bytes);
    if (reservation == null && memory.spill(bytes)) {
      reservation = memory.tryReserve(toString(), bytes);
    }
    if (reservation != null || attempts > ATTEMPTS) {
      return null;
    }
    return pause(attempts);
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
