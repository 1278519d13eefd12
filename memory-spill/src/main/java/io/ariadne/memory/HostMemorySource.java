package io.ariadne.memory;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryTier;

/**
 * Pageable memory outside the Java heap, from the C library's allocator.
 *
 * <p>Each allocation costs 64 bytes and the C library's header on top of its length; pools do not
 * count these. Not bounded by {@code -XX:MaxDirectMemorySize}.
 */
final class HostMemorySource implements MemorySource {
  static final HostMemorySource INSTANCE = new HostMemorySource();

  private HostMemorySource() {}

  @Override
  public MemoryTier tier() {
    return MemoryTier.HOST;
  }

  @Override
  public long allocate(long lengthInBytes) {
    try {
      return Memory.allocateAligned(lengthInBytes);
    } catch (OutOfMemoryError e) {
      return 0;
    }
  }

  @Override
  public void free(long address, long lengthInBytes) {
    Memory.freeAligned(address);
  }

  @Override
  public void fill(long address, long lengthInBytes, byte value) {
    Memory.fill(address, lengthInBytes, value);
  }
}
