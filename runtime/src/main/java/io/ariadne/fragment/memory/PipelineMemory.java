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
 * Estimates the memory that kernels' operators take for a batch of a pipeline, and reserves it when
 * memory is scarce. Thread-safe.
 */
public final class PipelineMemory {
  /**
   * One batch reserves at most the pool's limit divided by this; it may allocate more, but does not
   * wait for it.
   */
  private static final int LARGEST_SHARE = 4;

  private static final Logger LOG = LoggerFactory.getLogger(PipelineMemory.class);

  private final PeakHistory history;

  /** The pool of the kernels' memory; null if its limit is unknown. */
  private final MemoryPool pool;

  private final MemoryTier tier;
  private final SpillSpace spill;

  /**
   * Creates the estimates of a pipeline.
   *
   * @param history past peaks of pipelines of this kind
   * @param context source of the pipeline's memory
   */
  public PipelineMemory(PeakHistory history, OperatorContext context) {
    this.history = history;
    this.pool = context.kernelAllocator() instanceof MemoryPool limited ? limited : null;
    this.tier = context.kernelAllocator().tier();
    this.spill = context.kernelSpill();
  }

  /** Returns whether memory should be reserved for a batch before work on it begins; a snapshot. */
  public boolean isScarce() {
    return pool != null && spill.isScarce();
  }

  /**
   * Reserves the memory that a batch is expected to take, if it is free; does not block.
   *
   * @param owner owner of the reservation, for diagnosis
   * @param inputBytes size of the batch
   * @return a reservation to be closed by the caller, or null
   */
  public Reservation tryReserve(String owner, long inputBytes) {
    return pool.tryReserve(owner, bytesFor(inputBytes));
  }

  /**
   * Spills batches so that the memory that a batch is expected to take may be free afterwards.
   *
   * @param inputBytes size of the batch
   * @return whether any batch was moved
   */
  public boolean spill(long inputBytes) {
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

  /**
   * Measures the peak memory of one batch over all time slices of work on it, and adds it to the
   * history. Used by one thread at a time.
   *
   * <p>Each slice is enclosed by {@link #begin} and {@link #end} on the same thread; {@link #done}
   * follows the last one.
   */
  public final class Measurement {
    private long netBytes;
    private long peakBytes;

    /**
     * Begins a time slice on the calling thread.
     *
     * @param spent reservation that the slice's allocations use first; null for none
     */
    public void begin(Reservation spent) {
      ThreadUse.current().begin(spent);
    }

    /** Ends the time slice. */
    public void end() {
      ThreadUse use = ThreadUse.current();
      use.end();
      peakBytes = Math.max(peakBytes, netBytes + use.peakBytes(tier));
      netBytes += use.netBytes(tier);
    }

    /**
     * Adds the peak of the finished batch to the history.
     *
     * @param inputBytes size of the batch
     */
    public void done(long inputBytes) {
      history.add(inputBytes, peakBytes);
    }
  }
}
