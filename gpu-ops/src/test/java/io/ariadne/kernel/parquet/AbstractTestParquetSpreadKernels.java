package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.kernel.testing.KernelTestTarget;
import org.junit.jupiter.api.Test;

/** Dense values to rows, against a loop in plain Java. */
abstract class AbstractTestParquetSpreadKernels extends ParquetSuite {
  private static final int[] WIDTHS = {1, 2, 4, 8, 16};
  private static final double[] SHARES = {0, 0.02, 0.5, 0.9, 0.99, 1};

  AbstractTestParquetSpreadKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void spreadsValues() {
    for (int width : WIDTHS) {
      for (int rows : new int[] {0, 1, 63, 64, 65, 1023, 1025}) {
        for (double share : SHARES) {
          checkValues(width, rows, share, false);
        }
      }
      checkValues(width, MANY, 0.9, false);
    }
  }

  @Test
  void spreadsWordsOfOnesAndZeros() {
    for (int width : WIDTHS) {
      checkValues(width, 5000, 0.5, true);
    }
    checkBits(5000, 0.5, true);
  }

  @Test
  void spreadsBits() {
    for (int rows : COUNTS) {
      for (double share : SHARES) {
        checkBits(rows, share, false);
      }
    }
  }

  @Test
  void refusesMoreRowsThanValues() {
    try (RowSpread kernel = new RowSpread(backend(), allocator());
        MemoryBuffer dense = allocator().allocateZeroed(640 * 4);
        MemoryBuffer validity = validity(1000, 1, false);
        MemoryBuffer out = patterned(4000)) {
      EngineException failure =
          assertThrows(
              EngineException.class, () -> kernel.spread(dense, 640, 4, validity, out, 1000));
      assertEquals(true, failure.getMessage().contains("row=640"), failure.getMessage());
      assertThrows(EngineException.class, () -> kernel.spread(dense, 640, 3, validity, out, 600));
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    checkValues(8, MANY, 0.9, false);
    checkWork("parquet_spread");
    checkBits(MANY, 0.9, false);
    checkWork("parquet_spread bits");
  }

  private MemoryBuffer validity(int rows, double share, boolean words) {
    MemoryBuffer bits = allocator().allocate(Math.max(1, (rows + 7) / 8));
    byte last = 0;
    for (long at = 0; at < bits.capacityInBytes(); at++) {
      int value = 0;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        boolean isSet = at * Byte.SIZE + bit >= rows || random.nextDouble() < share;
        value |= (isSet ? 1 : 0) << bit;
      }
      last = at % 8 == 0 && words ? (byte) -random.nextInt(2) : last;
      bits.putByte(at, words && at / 64 % 2 == 0 ? last : (byte) value);
    }
    return bits;
  }

  private void checkValues(int width, int rows, double share, boolean words) {
    try (RowSpread kernel = new RowSpread(backend(), allocator());
        MemoryBuffer validity = validity(rows, share, words);
        MemoryBuffer out = patterned((long) rows * width)) {
      int present = present(validity, rows);
      try (MemoryBuffer dense = allocator().allocate(Math.max(1, (long) present * width))) {
        for (long at = 0; at < dense.capacityInBytes(); at++) {
          dense.putByte(at, (byte) random.nextInt());
        }
        assertEquals(present, kernel.spread(dense, present, width, validity, out, rows));
        long from = 0;
        for (int row = 0; row < rows; row++) {
          boolean isPresent = bit(validity, row);
          for (int i = 0; i < width; i++) {
            byte expected = isPresent ? dense.getByte(from + i) : 0;
            if (expected != out.getByte((long) row * width + i)) {
              throw new AssertionError("row " + row + " of " + rows + " seed " + seed());
            }
          }
          from += isPresent ? width : 0;
        }
      }
      checkUntouched(out, (long) rows * width);
    }
  }

  private void checkBits(int rows, double share, boolean words) {
    try (RowSpread kernel = new RowSpread(backend(), allocator());
        MemoryBuffer validity = validity(rows, share, words);
        MemoryBuffer dense = validity(rows, 0.5, false);
        MemoryBuffer out = allocator().allocate((rows + 63L) / 64 * 8)) {
      int present = present(validity, rows);
      assertEquals(present, kernel.spread(dense, present, RowSpread.BITS, validity, out, rows));
      int next = 0;
      for (int row = 0; row < (rows + 63) / 64 * 64; row++) {
        boolean isPresent = row < rows && bit(validity, row);
        boolean expected = isPresent && bit(dense, next);
        assertEquals(expected, bit(out, row), "row " + row + " of " + rows + " seed " + seed());
        next += isPresent ? 1 : 0;
      }
    }
  }

  private static int present(MemoryBuffer validity, int rows) {
    int present = 0;
    for (int row = 0; row < rows; row++) {
      present += bit(validity, row) ? 1 : 0;
    }
    return present;
  }
}
