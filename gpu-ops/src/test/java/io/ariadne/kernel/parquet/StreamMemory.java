package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Streams in memory that ends where they do, so that reading behind them is noticed: by the
 * emulator, or by a page that cannot be read on the host.
 */
final class StreamMemory implements AutoCloseable {
  private static final String HOST = "cpu";

  private final Backend backend;
  private final BufferAllocator allocator;
  private final List<MemoryBuffer> buffers = new ArrayList<>();
  private final List<GuardedMemory> guarded = new ArrayList<>();

  StreamMemory(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
  }

  /** Copies a stream and returns its address. */
  long put(byte[] stream) {
    if (backend.name().equals(HOST)) {
      GuardedMemory memory = new GuardedMemory(stream);
      guarded.add(memory);
      return memory.address();
    }
    MemoryBuffer buffer = allocator.allocate(Math.max(1, stream.length));
    buffers.add(buffer);
    long offset = buffer.capacityInBytes() - stream.length;
    buffer.putBytes(offset, stream, 0, stream.length);
    return buffer.address() + offset;
  }

  @Override
  public void close() {
    buffers.forEach(MemoryBuffer::close);
    guarded.clear();
  }
}
