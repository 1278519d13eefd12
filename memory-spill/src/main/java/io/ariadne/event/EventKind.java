package io.ariadne.event;

/** The kind of an event. */
public enum EventKind {
  /** A work item on a compute thread. */
  TASK,
  /** A copy between host and device memory. */
  COPY,
  /** A move of batches out of memory. */
  SPILL,
  /** A move of a batch back into memory. */
  READ_BACK,
  /**
   * A request to a storage that was made ahead of the use of its bytes; belongs to the thread on
   * which it ends, and overlaps others of that thread.
   */
  READ,
  /** A wait of a thread. */
  WAIT
}
