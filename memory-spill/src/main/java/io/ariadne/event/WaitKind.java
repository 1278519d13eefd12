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
  OUTPUT,
  /** Work that a device was given, or something that such work gives back. */
  DEVICE
}
