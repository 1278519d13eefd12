package io.ariadne.shuffle.spark;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;

/** The bytes of a block that is in memory already. Used by one thread. */
final class ReceivedBytes implements BlockInput.Source, AutoCloseable {
  /** Null when they are taken. */
  private MemoryBuffer bytes;

  /** Continues with other bytes, which this owns; frees those before unless they were taken. */
  void begin(MemoryBuffer next) {
    close();
    bytes = next;
  }

  /** Returns the number of bytes, which are not taken. */
  long lengthInBytes() {
    return bytes.lengthInBytes();
  }

  @Override
  public byte[] readHeader(int count) {
    byte[] header = new byte[count];
    Memory.copy(bytes.address(), header, 0, count);
    return header;
  }

  @Override
  public MemoryBuffer take(byte[] header, long lengthInBytes, BufferAllocator allocator) {
    MemoryBuffer taken = bytes;
    bytes = null;
    return taken;
  }

  @Override
  public void close() {
    if (bytes != null) {
      bytes.close();
      bytes = null;
    }
  }
}
