package io.ariadne.kernel.parquet;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.ArrayList;
import java.util.List;

/** Streams in memory that ends where they do, so that reading behind them is noticed. */
final class StreamMemory implements AutoCloseable {
  private final BufferAllocator allocator;
  private final List<MemoryBuffer> buffers = new ArrayList<>();

  StreamMemory(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** Copies a stream and returns its address. */
  long put(byte[] stream) {
    MemoryBuffer buffer = allocator.allocate(Math.max(1, stream.length));
    buffers.add(buffer);
    long offset = buffer.capacityInBytes() - stream.length;
    buffer.putBytes(offset, stream, 0, stream.length);
    return buffer.address() + offset;
  }

  @Override
  public void close() {
    buffers.forEach(MemoryBuffer::close);
  }
}
