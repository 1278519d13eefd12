package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryTier;

/**
 * Where a root pool gets raw memory from: the operating system, a driver, a slab.
 *
 * <p>Thread-safe. A source limits and counts nothing; that is the pool's part.
 */
public interface MemorySource {
  /** Returns where the memory lives. */
  MemoryTier tier();

  /**
   * Allocates memory whose contents are undefined.
   *
   * @param lengthInBytes a positive multiple of 64
   * @return an address that is a multiple of 64, or 0 when the source has no such memory left: it
   *     is asked again a few times
   * @throws io.ariadne.error.EngineException INTERNAL when the source fails otherwise
   */
  long allocate(long lengthInBytes);

  /**
   * Takes memory back. Does not throw: what fails here is told when the source is closed.
   *
   * @param address an address returned by {@link #allocate}
   * @param lengthInBytes the length it was asked for with
   */
  void free(long address, long lengthInBytes);

  /**
   * Sets bytes to zero; they are zero for everything the caller does afterwards.
   *
   * @param address first byte of memory of this source
   * @param lengthInBytes bytes
   */
  void fillZero(long address, long lengthInBytes);
}
