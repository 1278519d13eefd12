package io.ariadne.event;

/** What an event is about. */
public enum EventKind {
  /** A turn of a compute task. */
  TASK,
  /** Bytes on their way between host and device memory. */
  COPY,
  /** Batches on their way out of memory. */
  SPILL,
  /** A batch on its way back into memory. */
  READ_BACK,
  /** A thread that could not go on. */
  WAIT
}
