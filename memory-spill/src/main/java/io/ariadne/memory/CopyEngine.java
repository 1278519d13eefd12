package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryBuffer;

/** Copies bytes between the host and memory that the host cannot reach. Thread-safe. */
public interface CopyEngine {
  /**
   * Copies host memory into a buffer of the other memory. The source may be used for something else
   * when this returns.
   *
   * @param source host address
   * @param target the buffer
   * @param targetOffset first byte in the target
   * @param lengthInBytes bytes to copy
   */
  void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes);

  /**
   * Copies from a buffer of the other memory into host memory, after waiting for work that fills
   * it; the bytes are there when this returns. When this throws, nothing writes to the target any
   * more, with one exception: after DEVICE_LOST the device may still write to PINNED memory.
   *
   * @param source the buffer
   * @param sourceOffset first byte in the source
   * @param target host address
   * @param lengthInBytes bytes to copy
   */
  void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes);
}
