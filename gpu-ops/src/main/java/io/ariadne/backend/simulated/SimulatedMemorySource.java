package io.ariadne.backend.simulated;

import io.ariadne.backend.DeviceLoss;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemorySource;
import java.util.concurrent.atomic.AtomicLong;

/** Memory of a simulated device, or host memory that is page-locked for its copies. Thread-safe. */
final class SimulatedMemorySource implements MemorySource {
  private final MemoryTier tier;
  private final long capacityInBytes;
  private final DeviceLoss loss;
  private final AtomicLong allocatedBytes = new AtomicLong();

  /**
   * Creates a source.
   *
   * @param tier DEVICE, which host code must not access, or PINNED
   * @param capacityInBytes the most bytes it allocates
   * @param loss state of the device; a lost device allocates no more memory
   */
  SimulatedMemorySource(MemoryTier tier, long capacityInBytes, DeviceLoss loss) {
    this.tier = tier;
    this.capacityInBytes = capacityInBytes;
    this.loss = loss;
  }

  /** Returns how many bytes are not freed. */
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
  public void fill(long address, long lengthInBytes, byte value) {
    checkUsable();
    Memory.fill(address, lengthInBytes, value);
  }

  @Override
  public void checkUsable() {
    if (tier == MemoryTier.DEVICE) {
      loss.check();
    }
  }
}
