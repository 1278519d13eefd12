package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryTier;

/**
 * Provides raw memory for a root pool: the operating system, a driver, a slab.
 *
 * <p>Thread-safe. A source limits and counts nothing; the pool does.
 */
public interface MemorySource {
  /** Returns where the memory lives. */
  MemoryTier tier();

  /**
   * Allocates memory whose contents are undefined.
   *
   * @param lengthInBytes a positive multiple of 64
   * @return an address that is a multiple of 64, or 0 when the source has no memory left: the pool
   *     repeats the request a few times
   * @throws io.ariadne.error.EngineException INTERNAL when the source fails otherwise
   */
  long allocate(long lengthInBytes);

  /**
   * Frees memory. Does not throw: the source reports failures when it is closed.
   *
   * @param address an address returned by {@link #allocate}
   * @param lengthInBytes the length passed to {@link #allocate}
   */
  void free(long address, long lengthInBytes);

  /**
   * Sets bytes to a value, before work that the caller queues afterwards. The memory of a device
   * may only be set later; a library that writes to it by itself waits first.
   *
   * @param address first byte of memory of this source
   * @param lengthInBytes bytes
   * @param value of each byte
   */
  void fill(long address, long lengthInBytes, byte value);

  /**
   * Describes how a source has divided its memory, in part of a line, when it may serve a request
   * once more memory is freed. Empty when the machine has no memory left, and for sources that
   * divide nothing.
   *
   * @param lengthInBytes of the request
   */
  default String fragments(long lengthInBytes) {
    return "";
  }

  /**
   * Does nothing while the memory can be used.
   *
   * @throws io.ariadne.error.EngineException DEVICE_LOST when the memory is that of a lost device
   */
  default void checkUsable() {}
}
