package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TestFallbackMemorySource {
  private static final int BYTES = 128;

  /** Allocates a limited number of bytes; fails to free memory of another source. */
  private static final class Scarce implements MemorySource {
    private final Set<Long> given = new HashSet<>();
    private long left;

    Scarce(long left) {
      this.left = left;
    }

    @Override
    public MemoryTier tier() {
      return MemoryTier.PINNED;
    }

    @Override
    public long allocate(long lengthInBytes) {
      if (lengthInBytes > left) {
        return 0;
      }
      left -= lengthInBytes;
      long address = Memory.allocateAligned(lengthInBytes);
      given.add(address);
      return address;
    }

    @Override
    public void free(long address, long lengthInBytes) {
      if (!given.remove(address)) {
        throw new IllegalStateException("memory of another source");
      }
      left += lengthInBytes;
      Memory.freeAligned(address);
    }

    @Override
    public void fill(long address, long lengthInBytes, byte value) {
      Memory.fill(address, lengthInBytes, value);
    }
  }

  @Test
  void usesTheFallbackWhenThePreferredSourceIsEmpty() {
    Scarce first = new Scarce(2 * BYTES);
    Scarce second = new Scarce(BYTES);
    MemorySource both = new FallbackMemorySource(first, second);
    long[] given = {both.allocate(BYTES), both.allocate(BYTES), both.allocate(BYTES)};
    assertEquals(0, both.allocate(BYTES));
    assertEquals(0, first.left + second.left);
    both.free(given[2], BYTES);
    assertEquals(BYTES, second.left);
    both.free(given[0], BYTES);
    assertEquals(BYTES, first.left);
    long again = both.allocate(BYTES);
    assertEquals(0, first.left);
    both.free(again, BYTES);
    both.free(given[1], BYTES);
    assertEquals(3 * BYTES, first.left + second.left);
  }

  @Test
  void poolUsesBothSources() {
    Scarce first = new Scarce(BYTES);
    Scarce second = new Scarce(BYTES);
    try (MemoryPool pool =
            MemoryPools.over("both", 4 * BYTES, new FallbackMemorySource(first, second));
        MemoryBuffer one = pool.allocateZeroed(BYTES);
        MemoryBuffer other = pool.allocateZeroed(BYTES)) {
      assertEquals(MemoryTier.PINNED, other.tier());
      assertEquals(0, Memory.getLong(one.address()) + Memory.getLong(other.address()));
    }
    assertEquals(2 * BYTES, first.left + second.left);
  }
}
