package io.ariadne.pipeline;

import io.ariadne.fragment.memory.SplitMemory;

/**
 * The started splits of a pipeline, and the part of the process's {@link SplitMemory} that they
 * hold. Guarded by the fragment's lock.
 */
final class RunningSplits {
  private final SplitMemory memory;
  private int count;
  private long bytes;

  /** Creates an empty set. */
  RunningSplits(SplitMemory memory) {
    this.memory = memory;
  }

  /** Returns whether no split is started. */
  boolean isEmpty() {
    return count == 0;
  }

  /** Starts a split if memory allows; returns whether it did. */
  boolean start(InFlightBatch inFlight) {
    if (!memory.tryAcquire(inFlight.splitBytes(), bytes, count == 0)) {
      return false;
    }
    inFlight.start();
    count++;
    bytes += inFlight.splitBytes();
    return true;
  }

  /** Releases the memory of a closed split, if it was started. */
  void end(InFlightBatch inFlight) {
    if (inFlight.isStarted()) {
      memory.release(inFlight.splitBytes());
      count--;
      bytes -= inFlight.splitBytes();
    }
  }

  /** Releases the memory of all started splits; called when no work runs any more. */
  void endAll() {
    memory.release(bytes);
    bytes = 0;
  }

  @Override
  public String toString() {
    return count == 0 ? "" : "; " + count + " splits started, with " + bytes + " bytes";
  }
}
