package io.ariadne.event;

/** The kind of an event. */
public enum EventKind {
  /** A work item on a compute thread. */
  TASK(false),
  /** A copy between host and device memory. */
  COPY(false),
  /** A move of batches out of memory. */
  SPILL(false),
  /** A move of a batch back into memory. */
  READ_BACK(false),
  /**
   * A request to a storage that was made ahead of the use of its bytes; belongs to the thread on
   * which it ends.
   */
  READ(true),
  /**
   * A request to another executor for rows of a shuffle; belongs to the thread on which it ends.
   */
  FETCH(true),
  /** The making of a reply to another executor's {@link #FETCH}. */
  SERVE(false),
  /** A round in which map outputs are merged. */
  MERGE(false),
  /** A wait of a thread. */
  WAIT(false);

  private final boolean overlaps;

  EventKind(boolean overlaps) {
    this.overlaps = overlaps;
  }

  /** Returns whether events of this kind overlap others of their thread. */
  public boolean overlaps() {
    return overlaps;
  }
}
