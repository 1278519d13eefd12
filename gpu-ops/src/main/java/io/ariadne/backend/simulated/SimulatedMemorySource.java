package io.ariadne.backend.simulated;

import io.ariadne.backend.DeviceLoss;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemorySource;
import java.util.concurrent.atomic.AtomicLong;

/** Memory of a simulated device, and what of the host is locked for its copies. Thread-safe. */
final class SimulatedMemorySource implements MemorySource {
  private final MemoryTier tier;
  private final long capacityInBytes;
  private final DeviceLoss loss;
  private final AtomicLong allocatedBytes = new AtomicLong();

  /**
   * Creates a source.
   *
   * @param tier DEVICE, which no host code may touch, or PINNED
   * @param capacityInBytes bytes it gives out at most
   * @param loss of the device: once that is lost there is no more of either memory
   */
  SimulatedMemorySource(MemoryTier tier, long capacityInBytes, DeviceLoss loss) {
    this.tier = tier;
    this.capacityInBytes = capacityInBytes;
    this.loss = loss;
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
    if (tier == MemoryTier.DEVICE) {
      loss.check();
    } else if (loss.isLost()) {
      return 0;
    }
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
    if (tier == MemoryTier.DEVICE) {
      loss.check();
    }
    Memory.fill(address, lengthInBytes, (byte) 0);
  }
}
