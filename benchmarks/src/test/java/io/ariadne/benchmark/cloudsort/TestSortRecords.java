package io.ariadne.benchmark.cloudsort;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TestSortRecords {
  private static final String DIGITS = "0123456789ABCDEF";

  @Test
  void recordHasTheLayoutOfGensort() {
    byte[] record = record(7, 0xBEEF);
    assertEquals("0011", hex(record, 10, 12));
    String number = new String(record, 12, 32, US_ASCII);
    assertEquals("0000000000000000000000000000BEEF", number);
    assertEquals("8899aabb", hex(record, 44, 48));
    for (int i = 48; i < 96; i += 4) {
      String filler = new String(record, i, 4, US_ASCII);
      assertEquals(filler.substring(0, 1).repeat(4), filler);
      assertEquals(1, DIGITS.split(filler.substring(0, 1), -1).length - 1);
    }
    assertEquals("ccddeeff", hex(record, 96, 100));
  }

  /** The outputs of SplitMix64 with this seed, as its author's reference program prints them. */
  @Test
  void keyIsOfSplitMix64() {
    assertEquals("599ed017fb08fc85" + "2c73", hex(record(1234567, 0), 0, 10));
    assertEquals("883ebce5a3f27c77" + "3fbe", hex(record(1234567, 1), 0, 10));
  }

  @Test
  void recordDependsOnSeedAndNumberOnly() {
    assertArrayEquals(record(1, 5), record(1, 5));
    assertFalse(Arrays.equals(record(1, 5), record(2, 5)));
    assertFalse(Arrays.equals(record(1, 5), record(1, 6)));
  }

  @Test
  void keysAreSpreadOverAllFirstBytes() {
    TreeSet<Byte> firstBytes = new TreeSet<>();
    for (int i = 0; i < 10_000; i++) {
      firstBytes.add(record(3, i)[0]);
    }
    assertEquals(256, firstBytes.size());
  }

  @Test
  void numberIsReadFromThePayload() {
    for (long number : new long[] {0, 1, 0xFEDCBA987L, 1L << 40}) {
      assertEquals(number, SortRecords.number(record(1, number)));
    }
    byte[] other = record(1, 1);
    other[43] = 'x';
    assertEquals(SortRecords.NONE, SortRecords.number(other));
    byte[] large = record(1, 1);
    large[12] = '1'; // more than 64 bits
    assertEquals(SortRecords.NONE, SortRecords.number(large));
  }

  private static byte[] record(long seed, long number) {
    byte[] record = new byte[SortRecords.BYTES];
    new SortRecords(seed).fill(number, record);
    return record;
  }

  private static String hex(byte[] record, int start, int end) {
    return HexFormat.of().formatHex(record, start, end);
  }
}
