package io.ariadne.preload;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import java.util.function.LongConsumer;

/**
 * Memory for what the steps of scans read: footers, page indexes and small files. Thread-safe.
 *
 * @param source where the buffers come from
 * @param counter is told how many bytes are held more, or fewer if negative
 */
record StepMemory(BufferAllocator source, LongConsumer counter) implements BufferAllocator {
  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    MemoryBuffer buffer = source.allocate(lengthInBytes);
    long bytes = buffer.capacityInBytes();
    counter.accept(bytes);
    return new MemoryBuffer(
        buffer.address(),
        buffer.lengthInBytes(),
        bytes,
        buffer.tier(),
        closed -> {
          buffer.close();
          counter.accept(-bytes);
        });
  }

  @Override
  public long allocatedBytes() {
    return source.allocatedBytes();
  }

  @Override
  public MemoryTier tier() {
    return source.tier();
  }
}
