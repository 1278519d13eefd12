package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryTier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Allocates from a preferred source, and from another one when the preferred source has no memory
 * left. For pinned memory: a driver may refuse it although the host has plenty of memory.
 * Thread-safe.
 */
public final class FallbackMemorySource implements MemorySource {
  private final MemorySource preferred;
  private final MemorySource fallback;
  private final Set<Long> ofFallback = ConcurrentHashMap.newKeySet();

  /**
   * Creates a source.
   *
   * @param preferred asked first; {@link #tier} returns its tier for all memory
   * @param fallback asked when the preferred source has no memory left; usable by the same code
   */
  public FallbackMemorySource(MemorySource preferred, MemorySource fallback) {
    this.preferred = preferred;
    this.fallback = fallback;
  }

  @Override
  public MemoryTier tier() {
    return preferred.tier();
  }

  @Override
  public long allocate(long lengthInBytes) {
    long address = preferred.allocate(lengthInBytes);
    if (address == 0) {
      address = fallback.allocate(lengthInBytes);
      if (address != 0) {
        ofFallback.add(address);
      }
    }
    return address;
  }

  @Override
  public void free(long address, long lengthInBytes) {
    if (ofFallback.remove(address)) {
      fallback.free(address, lengthInBytes);
    } else {
      preferred.free(address, lengthInBytes);
    }
  }

  @Override
  public void fill(long address, long lengthInBytes, byte value) {
    (ofFallback.contains(address) ? fallback : preferred).fill(address, lengthInBytes, value);
  }
}
