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
  /** A wait of a thread. */
  WAIT
}
