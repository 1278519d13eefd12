package io.ariadne.backend.emulated;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;

/** Declares every buffer to the emulator for as long as it lives. */
final class RegionAllocator implements BufferAllocator {

  private final BufferAllocator delegate;

  RegionAllocator(BufferAllocator delegate) {
    this.delegate = delegate;
  }

  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    MemoryBuffer buffer = delegate.allocate(lengthInBytes);
    long address = buffer.address();
    if (buffer.capacityInBytes() > 0) {
      Regions.add(address, buffer.capacityInBytes());
    }
    return new MemoryBuffer(
        address,
        lengthInBytes,
        buffer.capacityInBytes(),
        buffer.tier(),
        closed -> {
          if (buffer.capacityInBytes() > 0) {
            Regions.remove(address);
          }
          buffer.close();
        });
  }

  @Override
  public long allocatedBytes() {
    return delegate.allocatedBytes();
  }

  @Override
  public MemoryTier tier() {
    return delegate.tier();
  }
}
