package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Appends bits to a bitmap, up to 64 at a time.
 *
 * <p>Bits that have not been written are zero. Not thread-safe; owns its buffer until {@link
 * #take}.
 */
final class BitmapWriter implements AutoCloseable {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOW_BITS = 0x0101010101010101L;
  // Multiplying moves bit 0 of byte i to bit 56 + i.
  private static final long GATHER = 0x0102040810204080L;
  private static final int GATHER_SHIFT = 56;

  private final BufferAllocator allocator;
  private MemoryBuffer buffer;
  private long address;
  private int bits;

  BitmapWriter(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** Ensures capacity for {@code capacity} bits in total. */
  void ensure(int capacity) {
    // One more word, so that a word can be written at any bit.
    long bytes = PhysicalType.BOOL.dataLengthInBytes(capacity) + Long.BYTES;
    if (buffer == null || bytes > buffer.capacityInBytes()) {
      MemoryBuffer larger = allocator.allocateZeroed(bytes);
      if (buffer != null) {
        Memory.copy(address, larger.address(), buffer.capacityInBytes());
        buffer.close();
      }
      buffer = larger;
      address = larger.address();
    }
  }

  /** Appends the low {@code count} bits of a word, 1 to 64; the other bits must be zero. */
  void append(long word, int count) {
    long at = address + ((long) (bits >>> 6) << 3);
    int shift = bits & (Long.SIZE - 1);
    Memory.putLong(at, Memory.getLong(at) | word << shift);
    if (shift + count > Long.SIZE) {
      Memory.putLong(at + Long.BYTES, word >>> (Long.SIZE - shift));
    }
    bits += count;
  }

  /** Appends {@code count} equal bits. */
  void appendRun(boolean bit, int count) {
    if (!bit) {
      bits += count;
      return;
    }
    int left = count;
    for (; left >= Long.SIZE; left -= Long.SIZE) {
      append(-1L, Long.SIZE);
    }
    if (left > 0) {
      append(-1L >>> (Long.SIZE - left), left);
    }
  }

  /**
   * Appends the lowest bit of each byte. Spark's flags are 0 or 1, and undefined under nulls.
   *
   * @param inverted whether to invert the bits
   * @return number of set bits appended
   */
  int appendBytes(byte[] source, int start, int count, boolean inverted) {
    long flip = inverted ? LOW_BITS : 0;
    int set = 0;
    int row = start;
    int end = start + count;
    while (end - row >= Long.SIZE) {
      long word = 0;
      for (int i = 0; i < Long.SIZE; i += Byte.SIZE) {
        word |= gather((long) LONGS.get(source, row + i) ^ flip) << i;
      }
      set += Long.bitCount(word);
      append(word, Long.SIZE);
      row += Long.SIZE;
    }
    long tail = 0;
    for (int i = row; i < end; i++) {
      tail |= ((source[i] ^ flip) & 1) << (i - row);
    }
    return set + appendTail(tail, end - row);
  }

  /** Does the same for bytes of host memory. */
  int appendBytes(long source, int count, boolean inverted) {
    long flip = inverted ? LOW_BITS : 0;
    int set = 0;
    int row = 0;
    while (count - row >= Long.SIZE) {
      long word = 0;
      for (int i = 0; i < Long.SIZE; i += Byte.SIZE) {
        word |= gather(Memory.getLong(source + row + i) ^ flip) << i;
      }
      set += Long.bitCount(word);
      append(word, Long.SIZE);
      row += Long.SIZE;
    }
    long tail = 0;
    for (int i = row; i < count; i++) {
      tail |= ((Memory.getByte(source + i) ^ flip) & 1) << (i - row);
    }
    return set + appendTail(tail, count - row);
  }

  /**
   * Appends bits of another bitmap.
   *
   * @param source its address; only bytes that contain wanted bits are read
   * @param start first bit
   * @return number of set bits appended
   */
  int appendBitmap(long source, int start, int count) {
    int set = 0;
    int end = start + count;
    for (int bit = start; bit < end; ) {
      int shift = bit & (Byte.SIZE - 1);
      int chunk = Math.min(Long.SIZE - shift, end - bit);
      long word = word(source + (bit >>> 3), shift + chunk) >>> shift;
      set += Long.bitCount(word);
      append(word, chunk);
      bit += chunk;
    }
    return set;
  }

  /** Reads the low {@code count} bits at an address; the other bits of the result are zero. */
  private static long word(long address, int count) {
    if (count == Long.SIZE) {
      return Memory.getLong(address);
    }
    long word = 0;
    for (int i = 0; i < count; i += Byte.SIZE) {
      word |= (Memory.getByte(address + (i >>> 3)) & 0xFFL) << i;
    }
    return word & ((1L << count) - 1);
  }

  private int appendTail(long word, int count) {
    if (count > 0) {
      append(word, count);
    }
    return Long.bitCount(word);
  }

  private static long gather(long bytes) {
    return ((bytes & LOW_BITS) * GATHER) >>> GATHER_SHIFT;
  }

  /** Passes the bitmap of the appended bits to the caller. This writer is empty afterwards. */
  MemoryBuffer take() {
    ensure(bits);
    MemoryBuffer taken = buffer.withLength(PhysicalType.BOOL.dataLengthInBytes(bits));
    buffer = null;
    bits = 0;
    return taken;
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
    bits = 0;
  }
}
