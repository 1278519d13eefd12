package io.ariadne.pipeline;

import io.ariadne.fragment.memory.SplitMemory;

/**
 * The splits of a pipeline that are being driven, and what they hold of the memory that all splits
 * of the process may. Guarded by the fragment's lock.
 */
final class RunningSplits {
  private final SplitMemory memory;
  private int count;
  private long bytes;

  /** Creates none. */
  RunningSplits(SplitMemory memory) {
    this.memory = memory;
  }

  /** Starts a split if memory allows; returns whether it did. */
  boolean start(InFlightBatch inFlight) {
    if (!memory.take(inFlight.splitBytes(), count == 0)) {
      return false;
    }
    inFlight.start();
    count++;
    bytes += inFlight.splitBytes();
    return true;
  }

  /** Gives back the memory of a split that is closed, if it was started. */
  void end(InFlightBatch inFlight) {
    if (inFlight.isStarted()) {
      memory.give(inFlight.splitBytes());
      count--;
      bytes -= inFlight.splitBytes();
    }
  }

  /** Gives back what all of them hold; when nothing runs any more. */
  void endAll() {
    memory.give(bytes);
    bytes = 0;
  }

  @Override
  public String toString() {
    return count == 0 ? "" : "; " + count + " splits started, with " + bytes + " bytes";
  }
}
