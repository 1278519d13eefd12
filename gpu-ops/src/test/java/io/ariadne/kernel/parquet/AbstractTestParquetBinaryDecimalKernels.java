package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Decimals stored as BYTE_ARRAY, against BigInteger. */
abstract class AbstractTestParquetBinaryDecimalKernels extends ParquetSuite {
  private static final int VIEW_BYTES = 16;
  private static final int HEAP = 1;

  AbstractTestParquetBinaryDecimalKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void decodesEveryCount() {
    for (int count : COUNTS) {
      byte[][] values = new byte[count][];
      for (int i = 0; i < count; i++) {
        values[i] = new byte[1 + random.nextInt(16)];
        random.nextBytes(values[i]);
      }
      check(ValueConversion.BIG_ENDIAN_TO_DECIMAL64, values, 0, 0);
      check(ValueConversion.BIG_ENDIAN_TO_DECIMAL128, values, Math.min(3, count), 4);
      check(ValueConversion.BIG_ENDIAN_TO_DECIMAL32, values, 0, 1);
    }
  }

  @Test
  void acceptsBytesThatOnlyRepeatTheSign() {
    byte[][] values = new byte[64][];
    for (int i = 0; i < values.length; i++) {
      values[i] = new byte[17 + i % 16];
      random.nextBytes(values[i]);
      int start = values[i].length - 16;
      Arrays.fill(values[i], 0, start, (byte) (values[i][start] >> 7));
    }
    check(ValueConversion.BIG_ENDIAN_TO_DECIMAL128, values, 0, 0);
    check(ValueConversion.BIG_ENDIAN_TO_DECIMAL64, values, 5, 0);
  }

  @Test
  void refusesBytesThatAreNoDecimal() {
    byte[][] values = new byte[50][1];
    values[40] = new byte[0];
    refused(values, ParquetError.PARQUET_ERROR_LENGTH, 40);
    values[30] = new byte[33];
    refused(values, ParquetError.PARQUET_ERROR_CONVERSION, 30);
    values[20] = new byte[17];
    values[20][1] = (byte) 0x80;
    refused(values, ParquetError.PARQUET_ERROR_CONVERSION, 20);
  }

  @Test
  void decodesExactDecimals() {
    for (int scale : new int[] {0, 3, 18, 19}) {
      for (ValueConversion conversion :
          new ValueConversion[] {
            ValueConversion.BIG_ENDIAN_TO_DECIMAL32, ValueConversion.BIG_ENDIAN_TO_DECIMAL64
          }) {
        BigInteger end = BigInteger.ONE.shiftLeft(conversion.resultBytes() * Byte.SIZE - 1);
        BigInteger factor = BigInteger.TEN.pow(scale);
        BigInteger largest = end.subtract(BigInteger.ONE).divide(factor);
        BigInteger smallest = end.negate().divide(factor);
        byte[][] values = new byte[50][1];
        values[30] = largest.toByteArray();
        values[31] = smallest.toByteArray();
        check(conversion, values, 0, scale, true);
        for (BigInteger beyond :
            new BigInteger[] {
              largest.add(BigInteger.ONE),
              smallest.subtract(BigInteger.ONE),
              BigInteger.ONE.shiftLeft(64),
              BigInteger.ONE.shiftLeft(200)
            }) {
          values[40] = beyond.toByteArray();
          ParquetPageException failure =
              assertThrows(
                  ParquetPageException.class, () -> check(conversion, values, 0, scale, true));
          assertEquals(ParquetError.PARQUET_ERROR_CONVERSION, failure.code());
          assertEquals(40L * VIEW_BYTES, failure.byteOffset());
        }
      }
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    byte[][] values = new byte[MANY][9];
    check(ValueConversion.BIG_ENDIAN_TO_DECIMAL128, values, 0, 0);
    checkWork("parquet_convert_binary");
  }

  private void refused(byte[][] values, int code, int row) {
    ValueConversion conversion = ValueConversion.BIG_ENDIAN_TO_DECIMAL128;
    ParquetPageException failure =
        assertThrows(ParquetPageException.class, () -> check(conversion, values, 0, 0));
    assertEquals(code, failure.code(), failure.getMessage());
    assertEquals((long) row * VIEW_BYTES, failure.byteOffset());
  }

  private void check(ValueConversion conversion, byte[][] values, int skip, int scale) {
    check(conversion, values, skip, scale, false);
  }

  private void check(
      ValueConversion conversion, byte[][] values, int skip, int scale, boolean isExact) {
    int count = values.length - skip;
    int resultBytes = conversion.resultBytes();
    try (MemoryBuffer views = allocator().allocateZeroed((long) values.length * VIEW_BYTES);
        MemoryBuffer heap =
            allocator().allocate(Arrays.stream(values).mapToLong(v -> v.length).sum());
        MemoryBuffer heaps = allocator().allocateZeroed((HEAP + 1) * (long) Long.BYTES);
        MemoryBuffer out = patterned((long) count * resultBytes);
        StreamWindows windows = new StreamWindows();
        BinaryDecimalDecoder decoder = new BinaryDecimalDecoder(backend(), allocator())) {
      heaps.putLong(HEAP * (long) Long.BYTES, heap.address());
      fill(values, views, heap);
      long bytes = (long) values.length * VIEW_BYTES;
      windows.add(views.address(), bytes, out.address(), 0, skip, count, 0, 0);
      decoder.decode(windows, heaps, conversion, scale, isExact);
      byte[] actual = new byte[resultBytes];
      for (int i = 0; i < count; i++) {
        out.getBytes((long) i * resultBytes, actual, 0, resultBytes);
        byte[] expected = ReferenceConversion.convert(conversion, values[skip + i], scale);
        assertArrayEquals(expected, actual, () -> "seed " + seed());
      }
      checkUntouched(out, (long) count * resultBytes);
    }
  }

  private static void fill(byte[][] values, MemoryBuffer views, MemoryBuffer heap) {
    long offset = 0;
    for (int i = 0; i < values.length; i++) {
      byte[] value = values[i];
      long at = (long) i * VIEW_BYTES;
      views.putInt(at, value.length);
      if (value.length <= 12) {
        views.putBytes(at + 4, value, 0, value.length);
      } else {
        heap.putBytes(offset, value, 0, value.length);
        views.putBytes(at + 4, value, 0, 4);
        views.putInt(at + 8, HEAP);
        views.putInt(at + 12, (int) offset);
        offset += value.length;
      }
    }
  }
}
