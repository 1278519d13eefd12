package io.ariadne.backend.cuda;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemorySource;

/**
 * Memory of a back end's own for tests: each buffer has a shadow in another allocator, which
 * counts, finds leaks and fails on request.
 */
public final class SourceAllocator implements BufferAllocator {
  private final MemorySource source;
  private final BufferAllocator counting;

  private SourceAllocator(MemorySource source, BufferAllocator counting) {
    this.source = source;
    this.counting = counting;
  }

  /**
   * Returns an allocator.
   *
   * @param backend whose memory it is
   * @param tier of the memory
   * @param counting what each buffer is counted in
   */
  public static BufferAllocator of(Backend backend, MemoryTier tier, BufferAllocator counting) {
    return new SourceAllocator(backend.memory(tier).orElseThrow(), counting);
  }

  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    MemoryBuffer shadow = counting.allocate(lengthInBytes);
    long capacity = shadow.capacityInBytes();
    long address = 0;
    try {
      address = capacity == 0 ? 0 : source.allocate(capacity);
      if (capacity != 0 && address == 0) {
        throw new EngineException(ErrorCode.OUT_OF_MEMORY, "no " + tier() + " memory left");
      }
    } catch (RuntimeException | Error e) {
      shadow.close();
      throw e;
    }
    return new MemoryBuffer(
        address, lengthInBytes, capacity, tier(), buffer -> release(buffer, shadow));
  }

  private void release(MemoryBuffer buffer, MemoryBuffer shadow) {
    if (buffer.capacityInBytes() > 0) {
      source.free(buffer.addressForRelease(), buffer.capacityInBytes());
    }
    shadow.close();
  }

  @Override
  public MemoryBuffer allocateZeroed(long lengthInBytes) {
    MemoryBuffer buffer = allocate(lengthInBytes);
    try {
      if (buffer.capacityInBytes() > 0) {
        source.fill(buffer.address(), buffer.capacityInBytes(), (byte) 0);
      }
      return buffer;
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
  }

  @Override
  public long allocatedBytes() {
    return counting.allocatedBytes();
  }

  @Override
  public MemoryTier tier() {
    return source.tier();
  }
}
