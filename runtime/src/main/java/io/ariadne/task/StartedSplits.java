package io.ariadne.task;

/**
 * The splits of a pipeline that are being driven, and what they hold of the memory that all splits
 * of the process may. Guarded by the fragment's lock.
 */
final class StartedSplits {
  private final SplitMemory memory;
  private int count;
  private long bytes;

  /** Creates none. */
  StartedSplits(SplitMemory memory) {
    this.memory = memory;
  }

  /** Starts a split if memory allows; returns whether it did. */
  boolean start(Admission admission) {
    if (!memory.take(admission.splitBytes(), count == 0)) {
      return false;
    }
    admission.start();
    count++;
    bytes += admission.splitBytes();
    return true;
  }

  /** Gives back the memory of a split that is closed, if it was started. */
  void end(Admission admission) {
    if (admission.isStarted()) {
      memory.give(admission.splitBytes());
      count--;
      bytes -= admission.splitBytes();
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
