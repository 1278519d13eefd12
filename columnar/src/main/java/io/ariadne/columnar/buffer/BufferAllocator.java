package io.ariadne.columnar.buffer;

/**
 * Allocates accounted off-heap buffers under a hard limit.
 *
 * <p>Implementations are thread-safe. Every buffer is 64-byte aligned and its capacity is a
 * multiple of 64 bytes, so that kernels may read, and in outputs write, up to the next multiple of
 * 64.
 */
public interface BufferAllocator {
  /**
   * Allocates a buffer whose contents are undefined.
   *
   * @param lengthInBytes requested length, at least 0
   * @return a buffer owned by the caller
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the limit would be exceeded
   */
  MemoryBuffer allocate(long lengthInBytes);

  /**
   * Allocates a buffer filled with zero bytes, padding included.
   *
   * @param lengthInBytes requested length, at least 0
   * @return a buffer owned by the caller
   */
  default MemoryBuffer allocateZeroed(long lengthInBytes) {
    MemoryBuffer buffer = allocate(lengthInBytes);
    buffer.fillZero();
    return buffer;
  }

  /** Returns bytes allocated and not yet released. */
  long allocatedBytes();

  /** Returns the tier of the buffers. */
  MemoryTier tier();
}
