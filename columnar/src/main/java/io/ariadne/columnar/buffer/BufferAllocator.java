package io.ariadne.columnar.buffer;

import java.util.function.Supplier;

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

  /**
   * Runs what allocates several buffers here. An allocator whose free memory may be in pieces that
   * are too short frees more memory when it refuses one of the buffers, and runs the action again.
   * So the caller holds no lock that freeing memory needs; the action may take one.
   *
   * @param lengthInBytes of all buffers, at least 0
   * @param action leaves nothing when it fails, and does not return null
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the last attempt was refused
   */
  default <T> T allocateAll(long lengthInBytes, Supplier<T> action) {
    return action.get();
  }

  /** Returns bytes allocated and not yet released. */
  long allocatedBytes();

  /** Returns the tier of the buffers. */
  MemoryTier tier();
}
