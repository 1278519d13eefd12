package io.ariadne.event;

/** What a thread waits for. */
public enum WaitKind {
  /** Bytes of a pool. */
  MEMORY,
  /** Pages for transfers between memory and disks. */
  PAGES,
  /** The end of a move of batches to another tier or back. */
  MOVE,
  /** A local disk: spilled batches, cached ranges, or a file that is read at once. */
  DISK,
  /** Bytes of a file that are read ahead. */
  STORAGE,
  /** Output of the fragment. */
  OUTPUT,
  /** Work on a device, or something that such work frees. */
  DEVICE,
  /** Blocks of other executors. */
  NETWORK
}
