package io.ariadne.columnar.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.RandomBatches;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bits copied, appended and set, against {@link BitSet}. */
class TestBitmaps {
  private static final int MAX_BITS = 200;
  private static final int BYTES = 2 * MAX_BITS / Byte.SIZE;
  private static final int CASES = 2000;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final Random random = RandomBatches.create().random();

  private void fill(MemoryBuffer buffer) {
    for (int i = 0; i < BYTES; i++) {
      buffer.putByte(i, (byte) random.nextInt());
    }
  }

  private static BitSet bits(MemoryBuffer buffer) {
    BitSet bits = new BitSet();
    for (int i = 0; i < BYTES * Byte.SIZE; i++) {
      bits.set(i, Bitmaps.isSet(buffer.address(), i));
    }
    return bits;
  }

  @Test
  void appendsBitsFromAnyPlace() {
    try (MemoryBuffer source = memory.allocator().allocate(BYTES);
        MemoryBuffer target = memory.allocator().allocate(BYTES)) {
      for (int round = 0; round < CASES; round++) {
        fill(source);
        target.fillZero();
        BitSet expected = new BitSet();
        int at = 0;
        while (at < MAX_BITS) {
          int count = random.nextInt(MAX_BITS / 2);
          int first = random.nextInt(MAX_BITS / 2);
          BitSet from = bits(source);
          for (int i = 0; i < count; i++) {
            expected.set(at + i, from.get(first + i));
          }
          Bitmaps.append(source.address(), first, target.address(), at, count);
          at += count;
        }
        assertEquals(expected, bits(target));
      }
    }
  }

  @Test
  void setsConsecutiveBits() {
    try (MemoryBuffer target = memory.allocator().allocate(BYTES)) {
      for (int round = 0; round < CASES; round++) {
        fill(target);
        BitSet expected = bits(target);
        int from = random.nextInt(MAX_BITS);
        int count = random.nextInt(MAX_BITS);
        expected.set(from, from + count);
        Bitmaps.setAll(target.address(), from, count);
        assertEquals(expected, bits(target));
        assertEquals(expected.cardinality(), Bitmaps.countSet(target.address(), BYTES * 8L));
      }
    }
  }

  @Test
  void copiesFromAnyBit() {
    try (MemoryBuffer source = memory.allocator().allocate(BYTES);
        MemoryBuffer target = memory.allocator().allocate(BYTES)) {
      for (int round = 0; round < CASES; round++) {
        fill(source);
        target.fillZero();
        int from = random.nextInt(MAX_BITS);
        int count = random.nextInt(MAX_BITS);
        Bitmaps.copy(source.address(), from, target.address(), count);
        assertEquals(bits(source).get(from, from + count), bits(target));
      }
    }
  }
}
