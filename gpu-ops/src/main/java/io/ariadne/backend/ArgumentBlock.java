package io.ariadne.backend;

import io.ariadne.columnar.buffer.Memory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The argument struct of a kernel, in host memory outside the Java heap.
 *
 * <p>64-byte aligned, zeroed when made, reused from launch to launch. Offsets come from the
 * generated layout classes. Not thread-safe; closed once by its owner.
 */
public final class ArgumentBlock implements AutoCloseable {
  private static final int ALIGNMENT = 64;
  private static final AtomicLong OPEN_BLOCKS = new AtomicLong();

  private final long allocation;
  private final long address;
  private final int sizeInBytes;
  private boolean closed;

  /**
   * Allocates a block.
   *
   * @param sizeInBytes size of the struct
   */
  public ArgumentBlock(int sizeInBytes) {
    this.sizeInBytes = sizeInBytes;
    this.allocation = Memory.allocate((long) sizeInBytes + ALIGNMENT);
    this.address = (allocation + ALIGNMENT - 1) & -ALIGNMENT;
    Memory.fill(address, sizeInBytes, (byte) 0);
    OPEN_BLOCKS.incrementAndGet();
  }

  /** Returns how many blocks of this process are not closed. */
  public static long openBlocks() {
    return OPEN_BLOCKS.get();
  }

  /** Returns the first byte's address. */
  public long address() {
    return checked(0, 0);
  }

  /** Returns the size of the struct. */
  public int sizeInBytes() {
    return sizeInBytes;
  }

  /** Stores a 64-bit field (also a pointer) at {@code offset} bytes. */
  public void putLong(int offset, long value) {
    Memory.putLong(checked(offset, Long.BYTES), value);
  }

  /** Stores a 32-bit field at {@code offset} bytes. */
  public void putInt(int offset, int value) {
    Memory.putInt(checked(offset, Integer.BYTES), value);
  }

  /** Returns the 64-bit field at {@code offset} bytes. */
  public long getLong(int offset) {
    return Memory.getLong(checked(offset, Long.BYTES));
  }

  /** Returns the 32-bit field at {@code offset} bytes. */
  public int getInt(int offset) {
    return Memory.getInt(checked(offset, Integer.BYTES));
  }

  /** Sets all fields to zero. */
  public void clear() {
    Memory.fill(checked(0, sizeInBytes), sizeInBytes, (byte) 0);
  }

  @Override
  public void close() {
    if (closed) {
      throw new IllegalStateException("argument block is already closed");
    }
    closed = true;
    Memory.free(allocation);
    OPEN_BLOCKS.decrementAndGet();
  }

  private long checked(int offset, int length) {
    if (closed) {
      throw new IllegalStateException("argument block is closed");
    }
    if (offset < 0 || length > sizeInBytes - offset) {
      throw new IndexOutOfBoundsException(
          "offset=" + offset + " length=" + length + " size=" + sizeInBytes);
    }
    return address + offset;
  }
}
