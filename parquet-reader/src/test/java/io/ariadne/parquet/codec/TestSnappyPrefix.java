package io.ariadne.parquet.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** The first bytes of blocks that snappy-java has made, and of damaged ones. */
class TestSnappyPrefix {
  private static final int GUARD_BYTES = 64;

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final TestingAllocator memory = new TestingAllocator();

  @AfterEach
  void checkNothingOpen() {
    memory.assertNothingOpen();
  }

  private byte[] plain(int length) {
    byte[] bytes = new byte[length];
    int values = 1 + random.nextInt(40);
    for (int i = 0; i < length; ) {
      // literals of all lengths, and copies that overlap themselves or not
      int run = Math.min(length - i, 1 + random.nextInt(random.nextInt(8) == 0 ? 70_000 : 90));
      boolean isCopy = i > 0 && random.nextBoolean();
      int distance = isCopy ? 1 + random.nextInt(Math.min(i, 70_000)) : 0;
      for (int end = i + run; i < end; i++) {
        bytes[i] = isCopy ? bytes[i - distance] : (byte) random.nextInt(isCopy ? values : 256);
      }
    }
    return bytes;
  }

  /** Returns what is decoded; the bytes behind it stay as they were. */
  private byte[] decoded(byte[] block, int wanted) {
    try (MemoryBuffer source = memory.allocate(Math.max(block.length, 1));
        MemoryBuffer target = memory.allocateZeroed(wanted + GUARD_BYTES)) {
      source.putBytes(0, block, 0, block.length);
      int made = SnappyPrefix.decode(source.address(), block.length, target.address(), wanted);
      if (made == SnappyPrefix.DAMAGED) {
        return null;
      }
      byte[] all = new byte[wanted + GUARD_BYTES];
      target.getBytes(0, all, 0, all.length);
      assertArrayEquals(new byte[GUARD_BYTES], Arrays.copyOfRange(all, wanted, all.length));
      return Arrays.copyOf(all, made);
    }
  }

  @Test
  void decodesPrefixesOfAllLengths() throws IOException {
    for (int i = 0; i < 300; i++) {
      byte[] plain = plain(random.nextInt(random.nextInt(10) == 0 ? 300_000 : 3000));
      byte[] block = Snappy.compress(plain);
      for (int wanted : new int[] {0, 1, 5, random.nextInt(plain.length + 1), plain.length}) {
        int expected = Math.min(wanted, plain.length);
        assertArrayEquals(Arrays.copyOf(plain, expected), decoded(block, wanted), "seed " + seed);
      }
      assertArrayEquals(plain, decoded(block, plain.length + 7), "seed " + seed);
    }
  }

  @Test
  void damagedBlocksAreDetectedOrEndEarly() throws IOException {
    int damaged = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] block = Snappy.compress(plain(1 + random.nextInt(500)));
      block[random.nextInt(block.length)] ^= (byte) (1 << random.nextInt(8));
      byte[] cut = Arrays.copyOf(block, 1 + random.nextInt(block.length));
      damaged += decoded(cut, 500) == null ? 1 : 0;
    }
    assertTrue(damaged > 100, damaged + " of 2000 detected, seed " + seed);
    assertEquals(null, decoded(new byte[] {-1, -1, -1, -1, -1, 0}, 1), "length without an end");
    assertEquals(null, decoded(new byte[0], 1));
  }

  /** Copies with distances of one, two and four bytes, as other compressors make them. */
  @Test
  void decodesCopiesOfAllKinds() {
    byte[] block = {
      20, // declared length
      2 << 2,
      'a',
      'b',
      'c', // literal of three
      1 | 1 << 2,
      3, // copy of five, distance 3
      2 | 3 << 2,
      1,
      0, // copy of four, distance 1
      3 | 7 << 2,
      12,
      0,
      0,
      0, // copy of eight, distance 12
    };
    assertEquals("abcabcabbbbbabcabcab", new String(decoded(block, 20), US_ASCII));
    assertEquals("abcabc", new String(decoded(block, 6), US_ASCII));
    block[2 + 3] = 5; // distance 5 of 3 bytes
    block[5] = 1 | 1 << 2;
    block[6] = 4;
    assertEquals(null, decoded(block, 20));
  }
}
