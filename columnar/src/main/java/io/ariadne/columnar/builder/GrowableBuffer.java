package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;

/** A host buffer that grows by moving to a buffer of twice the size. */
final class GrowableBuffer implements AutoCloseable {
  private final BufferAllocator allocator;
  private final boolean zeroed;
  private MemoryBuffer buffer;
  private long address;
  private long capacityInBytes;

  /**
   * Creates a buffer without memory.
   *
   * @param allocator where the memory comes from
   * @param zeroed whether bytes are zero until they are written
   */
  GrowableBuffer(BufferAllocator allocator, boolean zeroed) {
    this.allocator = allocator;
    this.zeroed = zeroed;
  }

  /** Returns the first byte's address, valid until the next {@link #ensure}. */
  long address() {
    return address;
  }

  /** Ensures {@code lengthInBytes} bytes in all; keeps the contents when that fails. */
  void ensure(long lengthInBytes) {
    if (lengthInBytes > capacityInBytes) {
      grow(lengthInBytes);
    }
  }

  private void grow(long lengthInBytes) {
    long wanted = Math.max(lengthInBytes, Math.multiplyExact(capacityInBytes, 2L));
    MemoryBuffer larger = zeroed ? allocator.allocateZeroed(wanted) : allocator.allocate(wanted);
    if (buffer != null) {
      Memory.copy(address, larger.address(), capacityInBytes);
      buffer.close();
    }
    buffer = larger;
    address = larger.address();
    capacityInBytes = larger.capacityInBytes();
  }

  /** Passes the memory to the caller as a buffer of this length; empty afterwards. */
  MemoryBuffer take(long lengthInBytes) {
    ensure(lengthInBytes);
    MemoryBuffer taken = buffer == null ? allocator.allocate(0) : buffer.withLength(lengthInBytes);
    forget();
    return taken;
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
      forget();
    }
  }

  private void forget() {
    buffer = null;
    address = 0;
    capacityInBytes = 0;
  }
}
