package io.ariadne.fragment.memory;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import io.ariadne.memory.ThreadUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillSpace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the batches of a pipeline are expected to take of the memory that kernels see, and the
 * reservations for that when it is scarce. Thread-safe.
 */
public final class TaskMemory {
  /** Of the pool, what one batch may reserve at most: it may take more, but not wait for it. */
  private static final int LARGEST_SHARE = 4;

  private static final Logger LOG = LoggerFactory.getLogger(TaskMemory.class);

  private final PeakHistory history;

  /** The pool of the kernels' memory; null when it has no limit that is known. */
  private final MemoryPool pool;

  private final MemoryTier tier;
  private final SpillSpace spill;

  /**
   * Creates the expectations of a pipeline.
   *
   * @param history what its like has taken
   * @param context where its memory comes from
   */
  public TaskMemory(PeakHistory history, OperatorContext context) {
    this.history = history;
    this.pool = context.kernelAllocator() instanceof MemoryPool limited ? limited : null;
    this.tier = context.kernelAllocator().tier();
    this.spill = context.kernelSpill();
  }

  /** Returns whether a batch should have memory reserved before work on it begins; a snapshot. */
  public boolean isScarce() {
    return pool != null && spill.isScarce();
  }

  /**
   * Reserves what a batch is expected to take, if it is there; waits for nobody.
   *
   * @param owner for whom, for diagnosis
   * @param inputBytes the batch's size
   * @return a reservation to be closed by the caller, or null
   */
  public Reservation tryReserve(String owner, long inputBytes) {
    return pool.tryReserve(owner, bytesFor(inputBytes));
  }

  /**
   * Moves batches at rest, so that what a batch is expected to take may be there afterwards.
   *
   * @return whether any have moved
   */
  public boolean makeRoom(long inputBytes) {
    try {
      return spill.makeRoom(() -> bytesFor(inputBytes) - pool.availableBytes()) > 0;
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      LOG.debug("work begins without memory reserved for it", e);
      return false;
    }
  }

  private long bytesFor(long inputBytes) {
    return Math.min(history.estimate(inputBytes), pool.limitInBytes() / LARGEST_SHARE);
  }

  /** Measures one batch, over all its turns. Used by one thread at a time. */
  public final class Measure {
    private long netBytes;
    private long peakBytes;

    /** Begins a turn on the calling thread, which spends a reservation, or null. */
    public void begin(Reservation spent) {
      ThreadUse.current().begin(spent);
    }

    /** Ends the turn. */
    public void end() {
      ThreadUse use = ThreadUse.current();
      use.end();
      peakBytes = Math.max(peakBytes, netBytes + use.peakBytes(tier));
      netBytes += use.netBytes(tier);
    }

    /** Notes what the batch has taken, which is done. */
    public void done(long inputBytes) {
      history.add(inputBytes, peakBytes);
    }
  }
}
