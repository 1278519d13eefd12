package io.ariadne.io.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.spill.disk.FreeSpace;

/**
 * Memory for bytes on their way to the disks: one buffer for the life of a cache, so that a read
 * never allocates, waits or causes a spill for the cache's sake. Thread-safe.
 */
final class Staging implements AutoCloseable {
  private final long sizeInBytes;
  private final MemoryBuffer memory;
  private final long address;

  @GuardedBy("this")
  private final FreeSpace space;

  @GuardedBy("this")
  private boolean closed;

  /** Allocates the memory. */
  Staging(BufferAllocator allocator, long sizeInBytes) {
    this.sizeInBytes = MemoryBuffer.padded(sizeInBytes);
    this.memory = allocator.allocate(this.sizeInBytes);
    this.memory.leaveWork();
    this.address = memory.address();
    this.space = new FreeSpace(this.sizeInBytes);
  }

  /** Returns the bytes of the memory. */
  long sizeInBytes() {
    return sizeInBytes;
  }

  /** Lends some memory; returns its address, or 0 when there is none left. */
  synchronized long lend(long lengthInBytes) {
    if (closed) {
      return 0;
    }
    long offset = space.allocate(MemoryBuffer.padded(lengthInBytes));
    if (offset < 0) {
      return 0;
    }
    return address + offset;
  }

  /** Takes memory back. */
  synchronized void giveBack(long lentAddress, long lengthInBytes) {
    space.free(lentAddress - address, MemoryBuffer.padded(lengthInBytes));
    if (closed && space.isAllFree()) {
      memory.close();
    }
  }

  /** Frees the memory, when the last of it has been given back. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      if (space.isAllFree()) {
        memory.close();
      }
    }
  }
}
