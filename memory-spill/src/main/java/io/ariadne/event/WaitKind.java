package io.ariadne.event;

/** What a thread waits for. */
public enum WaitKind {
  /** Bytes of a pool. */
  MEMORY,
  /** Pages through which bytes leave memory. */
  PAGES,
  /** The end of a batch's move to another tier or back. */
  MOVE,
  /** A disk. */
  DISK,
  /** Output of the fragment's tasks. */
  OUTPUT
}
