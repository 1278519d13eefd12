package io.ariadne.memory.testing;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.CopyEngine;
import io.ariadne.memory.MemorySource;
import java.util.Objects;

/** A device whose memory is the host's, though buffers refuse to be read there. Stateless. */
public final class TestingDevice implements MemorySource, CopyEngine {
  /** Creates a device. */
  public TestingDevice() {}

  @Override
  public MemoryTier tier() {
    return MemoryTier.DEVICE;
  }

  @Override
  public long allocate(long lengthInBytes) {
    return Memory.allocateAligned(lengthInBytes);
  }

  @Override
  public void free(long address, long lengthInBytes) {
    Memory.freeAligned(address);
  }

  @Override
  public void fill(long address, long lengthInBytes, byte value) {
    Memory.fill(address, lengthInBytes, value);
  }

  @Override
  public void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes) {
    Memory.copy(source, checked(target, targetOffset, lengthInBytes), lengthInBytes);
  }

  @Override
  public void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes) {
    Memory.copy(checked(source, sourceOffset, lengthInBytes), target, lengthInBytes);
  }

  private static long checked(MemoryBuffer buffer, long offset, long lengthInBytes) {
    if (buffer.tier() != MemoryTier.DEVICE) {
      throw new IllegalArgumentException("a buffer of tier " + buffer.tier() + " is no device's");
    }
    Objects.checkFromIndexSize(offset, lengthInBytes, buffer.capacityInBytes());
    return buffer.address() + offset;
  }
}
