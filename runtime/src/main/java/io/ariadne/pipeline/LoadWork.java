package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.compute.ComputeExecutor;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.fragment.control.FragmentWork;
import io.ariadne.fragment.memory.TaskMemory;
import io.ariadne.memory.Reservation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Gets a batch ready that a driver is to work on, on a thread that is none of the compute threads,
 * which wait for nothing: reserves memory for the work when that is scarce, for a short time, and
 * reads the batch back if it has left memory.
 */
final class LoadWork extends FragmentWork {
  private final PipelineRun pipeline;
  private final InFlightBatch inFlight;

  /** How often memory is asked for before work begins without a reservation. */
  private static final int ATTEMPTS = 6;

  /**
   * How often reading back is tried without waiting, with pauses of up to a quarter of a second.
   */
  private static final int READS = 100;

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
   * Reads the batch back; without memory it stays where it is, and is read when others have ended.
   */
  private CompletableFuture<Void> read() {
    ThreadRecord thread = ThreadRecord.current();
    boolean before = thread.mayWait(false);
    try {
      batch = inFlight.waiting().take();
      return null;
    } catch (EngineException e) {
      reads++;
      if (e.code() != ErrorCode.OUT_OF_MEMORY || reads > READS) {
        throw e;
      }
      giveUpReservation();
      return pause(Math.min(reads, LONGEST_PAUSE));
    } finally {
      thread.mayWait(before);
    }
  }

  /** Gives back what was reserved: who waits needs no memory, and others may wait for it. */
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

  /**
   * Reserves memory for the work; returns what is to be waited for before it is asked for again.
   */
  private CompletableFuture<Void> reserve() {
    TaskMemory memory = pipeline.memory();
    boolean isDone = isPrepared || reservation != null || attempts > ATTEMPTS;
    if (isDone || !memory.isScarce()) {
      return null;
    }
    attempts++;
    long bytes = inFlight.inputBytes();
    reservation = memory.tryReserve(toString(), bytes);
    if (reservation == null && memory.makeRoom(bytes)) {
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
  protected String asker() {
    return "getting batch " + inFlight.sequence() + " ready";
  }

  @Override
  public String toString() {
    return "preparation of batch " + inFlight.sequence() + " of " + control();
  }
}
