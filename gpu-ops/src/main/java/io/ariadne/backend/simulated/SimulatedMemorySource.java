package io.ariadne.backend.simulated;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemorySource;
import java.util.concurrent.atomic.AtomicLong;

/** Memory of a simulated device, and what of the host is locked for its copies. Thread-safe. */
final class SimulatedMemorySource implements MemorySource {
  private final MemoryTier tier;
  private final long capacityInBytes;
  private final AtomicLong allocatedBytes = new AtomicLong();

  /**
   * Creates a source.
   *
   * @param tier DEVICE, which no host code may touch, or PINNED
   * @param capacityInBytes bytes it gives out at most
   */
  SimulatedMemorySource(MemoryTier tier, long capacityInBytes) {
    this.tier = tier;
    this.capacityInBytes = capacityInBytes;
  }

  /** Returns bytes that nobody has given back. */
  long allocatedBytes() {
    return allocatedBytes.get();
  }

  long freeBytes() {
    return capacityInBytes - allocatedBytes.get();
  }

  @Override
  public MemoryTier tier() {
    return tier;
  }

  @Override
  public long allocate(long lengthInBytes) {
    if (allocatedBytes.addAndGet(lengthInBytes) > capacityInBytes) {
      allocatedBytes.addAndGet(-lengthInBytes);
      return 0;
    }
    try {
      return Memory.allocateAligned(lengthInBytes);
    } catch (OutOfMemoryError e) {
      allocatedBytes.addAndGet(-lengthInBytes);
      return 0;
    }
  }

  @Override
  public void free(long address, long lengthInBytes) {
    Memory.freeAligned(address);
    allocatedBytes.addAndGet(-lengthInBytes);
  }

  @Override
  public void fillZero(long address, long lengthInBytes) {
    Memory.fill(address, lengthInBytes, (byte) 0);
  }
}
