package io.ariadne.columnar.buffer;

/** Where the bytes of a buffer live. */
public enum MemoryTier {
  /** GPU memory; the address is a device address and must not be read by the host. */
  DEVICE,
  /** Page-locked host memory. */
  PINNED,
  /** Pageable host memory outside the Java heap. */
  HOST,
  /** A file; such a buffer has no address. */
  DISK
}
