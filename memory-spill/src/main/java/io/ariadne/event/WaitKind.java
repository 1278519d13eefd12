package io.ariadne.event;

/** What a thread waits for. */
public enum WaitKind {
  /** Bytes of a pool. */
  MEMORY,
  /** Pages for transfers between memory and disks. */
  PAGES,
  /** The end of a move of batches to another tier or back. */
  MOVE,
  /** A disk with spilled batches. */
  DISK,
  /** Bytes of a file that is scanned. */
  STORAGE,
  /** Output of the fragment. */
  OUTPUT,
  /** Work on a device, or something that such work frees. */
  DEVICE
}
