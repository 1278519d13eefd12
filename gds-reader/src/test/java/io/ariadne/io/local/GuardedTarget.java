package io.ariadne.io.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRange;

/**
 * A part of a buffer that a range is read into, with bytes before and behind it that must stay as
 * they are. Closed by the test, once nothing writes to it.
 */
final class GuardedTarget implements AutoCloseable {
  private static final int GUARD = 4096;
  private static final byte GUARD_VALUE = 0x5B;

  private final MemoryBuffer buffer;
  private final long position;
  private final int offset;
  private final int length;

  private GuardedTarget(MemoryBuffer buffer, long position, int offset, int length) {
    this.buffer = buffer;
    this.position = position;
    this.offset = offset;
    this.length = length;
  }

  /**
   * Allocates memory for a range.
   *
   * @param allocator where the memory comes from
   * @param position first byte in the file
   * @param length bytes
   * @param alignment makes the address equal to the position modulo this number
   * @param skew is added to that address
   */
  static GuardedTarget of(
      BufferAllocator allocator, long position, int length, int alignment, int skew) {
    MemoryBuffer buffer = allocator.allocate(2L * GUARD + alignment + skew + length);
    Memory.fill(buffer.address(), buffer.capacityInBytes(), GUARD_VALUE);
    long first = buffer.address() + GUARD;
    int offset = GUARD + (int) Math.floorMod(position - first, (long) alignment) + skew;
    return new GuardedTarget(buffer, position, offset, length);
  }

  /** Returns the range. */
  ByteRange range() {
    return new ByteRange(position, buffer, offset, length);
  }

  /** Checks that exactly the bytes of the range were read. */
  void assertRead(byte[] file, String message) {
    for (int i = 0; i < length; i++) {
      if (buffer.getByte(offset + i) != file[(int) position + i]) {
        assertEquals(file[(int) position + i], buffer.getByte(offset + i), message + ", byte " + i);
      }
    }
    assertGuards(message);
  }

  /** Checks that nothing was written before and behind the range. */
  void assertGuards(String message) {
    assertTrue(isGuard(0, offset), message + ": bytes before the target are overwritten");
    assertTrue(
        isGuard(offset + length, buffer.capacityInBytes()),
        message + ": bytes behind the target are overwritten");
  }

  private boolean isGuard(long from, long to) {
    for (long i = from; i < to; i++) {
      if (buffer.getByte(i) != GUARD_VALUE) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    buffer.close();
  }
}
