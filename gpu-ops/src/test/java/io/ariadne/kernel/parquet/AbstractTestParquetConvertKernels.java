package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

/** Stored fixed-width values, against conversions in plain Java. */
abstract class AbstractTestParquetConvertKernels extends ParquetSuite {
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int FIRST_GREGORIAN_DAY = -141_427;
  private static final int[] SWITCH_DAYS = {
    -719164, -682945, -646420, -609895, -536845, -500320, -463795, -390745, -354220, -317695,
    -244645, -208120, -171595, -141427
  };
  private static final int[] DAY_DIFFERENCES = {
    2, 1, 0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, 0
  };

  AbstractTestParquetConvertKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void makesEveryConversion() {
    for (ValueConversion conversion : ValueConversion.values()) {
      int width = conversion.storedBytes() == 0 ? 7 : conversion.storedBytes();
      check(conversion, randomValues(conversion, 1100, width), width, 75, 0);
      check(conversion, randomValues(conversion, 300, width), width, 0, 3);
    }
  }

  @Test
  void convertsEveryCount() {
    for (int count : COUNTS) {
      check(ValueConversion.COPY_4, bytes(count * 4), 4, 0, 0);
      check(ValueConversion.COPY_2, bytes((count + 9) * 2), 2, 9, 0);
      check(ValueConversion.INT96_TO_MICROS, bytes(count * 12), 12, 0, 0);
    }
  }

  @Test
  void convertsBigEndianNumbersOfEveryWidth() {
    for (int width = 1; width <= 32; width++) {
      byte[] stream = bytes(width * 300);
      check(ValueConversion.BIG_ENDIAN_TO_DECIMAL32, stream, width, 20, 0);
      check(ValueConversion.BIG_ENDIAN_TO_DECIMAL64, stream, width, 20, 2);
      for (int at = 0; width > 16 && at < stream.length; at += width) {
        byte sign = (byte) (stream[at + width - 16] >> 7);
        Arrays.fill(stream, at, at + width - 16, sign);
      }
      check(ValueConversion.BIG_ENDIAN_TO_DECIMAL128, stream, width, 20, 0);
      check(ValueConversion.BIG_ENDIAN_TO_DECIMAL128, stream, width, 0, 5);
    }
  }

  @Test
  void convertsManyWindows() {
    int tasksWanted = 300;
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        ParquetConvertKernel kernel = new ParquetConvertKernel(backend(), allocator());
        MemoryBuffer out = patterned(tasksWanted * 500L * Long.BYTES)) {
      byte[][] made = new byte[tasksWanted][];
      int row = 0;
      for (int i = 0; i < tasksWanted; i++) {
        made[i] = bytes(random.nextInt(500) * Integer.BYTES);
        int count = made[i].length / Integer.BYTES;
        long to = out.address() + (long) row * Long.BYTES;
        windows.add(streams.put(made[i]), made[i].length, to, 0, 0, count, Integer.BYTES, 0);
        row += count;
      }
      kernel.convert(windows, ValueConversion.INT32_TO_I64);
      row = 0;
      for (byte[] stream : made) {
        ByteBuffer values = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        while (values.hasRemaining()) {
          assertEquals(values.getInt(), out.getLong((long) row * Long.BYTES), "seed " + seed());
          row++;
        }
      }
      checkUntouched(out, (long) row * Long.BYTES);
    }
  }

  @Test
  void rebasesDates() {
    int[] days = new int[3000];
    for (int i = 0; i < days.length; i++) {
      days[i] = i % 3 == 0 ? random.nextInt() : random.nextInt(1_000_000) - 900_000;
    }
    System.arraycopy(SWITCH_DAYS, 0, days, 0, SWITCH_DAYS.length);
    days[SWITCH_DAYS.length] = Integer.MIN_VALUE;
    byte[] stream = new byte[days.length * Integer.BYTES];
    ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(days);
    byte[] rebased = run(ValueConversion.DATE, stream, Integer.BYTES, CalendarRebase.DATES);
    for (int i = 0; i < days.length; i++) {
      int actual = little(rebased).getInt(i * Integer.BYTES);
      assertEquals(ReferenceConversion.rebaseDay(days[i]), actual, "day " + days[i]);
    }
    byte[] kept = run(ValueConversion.DATE, stream, Integer.BYTES, CalendarRebase.NONE);
    assertArrayEquals(stream, kept);
  }

  @Test
  void rebasesTimestamps() {
    for (String id : new String[] {"UTC", "GMT-07:52", "GMT+09:18"}) {
      TimeZone zone = TimeZone.getTimeZone(id);
      CalendarRebase rebase = tableOf(zone);
      long[] micros = new long[2000];
      for (int i = 0; i < micros.length; i++) {
        long day = i % 3 == 0 ? random.nextInt(100_000_000) : random.nextInt(1_000_000);
        micros[i] = (day % 90_000_000 - 900_000) * MICROS_PER_DAY + random.nextInt();
        micros[i] = i % 6 == 0 ? -micros[i] : micros[i];
      }
      byte[] stream = new byte[micros.length * Long.BYTES];
      little(stream).asLongBuffer().put(micros);
      ByteBuffer rebased = little(run(ValueConversion.MICROS, stream, Long.BYTES, rebase));
      for (int i = 0; i < micros.length; i++) {
        long expected = ReferenceConversion.rebaseMicros(micros[i], zone);
        long value = micros[i];
        assertEquals(expected, rebased.getLong(i * Long.BYTES), () -> id + " " + value);
      }
    }
  }

  @Test
  void rebasesDatesReadAsTimestamps() {
    int[] days = {FIRST_GREGORIAN_DAY, FIRST_GREGORIAN_DAY - 1, -719164, -719165, 0, 30, -50000000};
    byte[] stream = new byte[days.length * Integer.BYTES];
    little(stream).asIntBuffer().put(days);
    ByteBuffer rebased =
        little(run(ValueConversion.DATE_TO_MICROS, stream, 4, CalendarRebase.DATES));
    for (int i = 0; i < days.length; i++) {
      long expected = ReferenceConversion.rebaseDay(days[i]) * MICROS_PER_DAY;
      assertEquals(expected, rebased.getLong(i * Long.BYTES), "day " + days[i]);
    }
  }

  @Test
  void failsOnOldDatesWhenAsked() {
    long modern = -2208988800000000L; // 1900-01-01
    CalendarRebase failing = CalendarRebase.failing(modern);
    byte[] dates = new byte[5000 * Integer.BYTES];
    little(dates).putInt(4321 * 4, FIRST_GREGORIAN_DAY).putInt(4400 * 4, FIRST_GREGORIAN_DAY - 1);
    refused(ValueConversion.DATE, dates, 4, failing, ParquetError.PARQUET_ERROR_REBASE, 4400 * 4);
    byte[] micros = new byte[300 * Long.BYTES];
    little(micros).putLong(8, modern).putLong(80, modern - 1).putLong(800, modern - 1);
    refused(ValueConversion.MICROS, micros, 8, failing, ParquetError.PARQUET_ERROR_REBASE, 80);
  }

  @Test
  void refusesValuesThatDoNotFit() {
    byte[] longs = new byte[6000 * Long.BYTES];
    little(longs).putLong(40, 9223372036854775L).putLong(48, -9223372036854775L);
    run(ValueConversion.MILLIS_TO_MICROS, longs, 8, CalendarRebase.NONE);
    little(longs).putLong(32000, 9223372036854776L).putLong(40000, Long.MIN_VALUE);
    int code = ParquetError.PARQUET_ERROR_CONVERSION;
    refused(ValueConversion.MILLIS_TO_MICROS, longs, 8, CalendarRebase.NONE, code, 32000);
    refused(ValueConversion.MICROS_TO_NANOS, longs, 8, CalendarRebase.NONE, code, 32000);
    byte[] days = new byte[40];
    little(days).putInt(4, 106751991).putInt(8, 106751992);
    refused(ValueConversion.DATE_TO_MICROS, days, 4, CalendarRebase.NONE, code, 8);
    byte[] wide = new byte[20 * 17];
    wide[17 * 5] = (byte) 0xff;
    wide[17 * 5 + 1] = (byte) 0x80;
    wide[17 * 9 + 1] = (byte) 0x80;
    refused(ValueConversion.BIG_ENDIAN_TO_DECIMAL128, wide, 17, CalendarRebase.NONE, code, 17 * 9);
  }

  @Test
  void refusesWrongWindows() {
    byte[] stream = bytes(103);
    int truncated = ParquetError.PARQUET_ERROR_TRUNCATED;
    int width = ParquetError.PARQUET_ERROR_WIDTH;
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        ParquetConvertKernel kernel = new ParquetConvertKernel(backend(), allocator());
        MemoryBuffer out = patterned(4096)) {
      long data = streams.put(stream);
      int[][] wrong = {
        {20, 6, 4, truncated, 100},
        {0, 200, 4, truncated, 100},
        {Integer.MAX_VALUE - 1, 1, 4, truncated, 100},
        {0, 3, 8, width, 0},
        {0, 1, 0, width, 0},
        {0, 1, -1, width, 0}
      };
      for (int[] line : wrong) {
        windows.clear();
        windows.add(data, stream.length, out.address(), 0, line[0], line[1], line[2], 0);
        ParquetPageException failure =
            assertThrows(
                ParquetPageException.class,
                () -> kernel.convert(windows, ValueConversion.COPY_4),
                Arrays.toString(line));
        assertEquals(line[3], failure.code(), failure.getMessage());
        assertEquals(line[4], failure.byteOffset());
      }
      windows.clear();
      windows.add(data, stream.length, out.address(), 0, 0, 1, 33, 0);
      assertEquals(
          width,
          assertThrows(
                  ParquetPageException.class,
                  () -> kernel.convert(windows, ValueConversion.BIG_ENDIAN_TO_DECIMAL64))
              .code());
      windows.clear();
      windows.add(data, stream.length, out.address(), 0, Integer.MAX_VALUE, 0, 0, 0);
      kernel.convert(windows, ValueConversion.COPY_4); // asks for nothing
      checkUntouched(out, 0);
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    check(ValueConversion.COPY_8, bytes(MANY * 8), 8, 0, 0);
    checkWork("parquet_convert copy");
    check(ValueConversion.INT96_TO_MICROS, bytes(MANY * 12), 12, 0, 0);
    checkWork("parquet_convert int96");
    check(ValueConversion.BIG_ENDIAN_TO_DECIMAL64, bytes(MANY * 7), 7, 0, 0);
    checkWork("parquet_convert big endian");
  }

  @Test
  void convertsExactDecimals() {
    for (int scale : new int[] {0, 1, 7, 18, 19, 38}) {
      for (int width : new int[] {3, 4, 8, 9, 16, 17}) {
        checkExact(ValueConversion.BIG_ENDIAN_TO_DECIMAL32, width, scale);
        checkExact(ValueConversion.BIG_ENDIAN_TO_DECIMAL64, width, scale);
      }
      checkExact(ValueConversion.INT32_TO_DECIMAL32, 4, scale);
      checkExact(ValueConversion.INT32_TO_DECIMAL64, 4, scale);
      checkExact(ValueConversion.INT64_TO_DECIMAL32, 8, scale);
      checkExact(ValueConversion.INT64_TO_DECIMAL64, 8, scale);
    }
  }

  /** The largest and the smallest decimals that fit are as if cut off; those beyond are refused. */
  private void checkExact(ValueConversion conversion, int width, int scale) {
    BigInteger end = BigInteger.ONE.shiftLeft(conversion.resultBytes() * Byte.SIZE - 1);
    BigInteger factor = BigInteger.TEN.pow(scale);
    BigInteger largest = end.subtract(BigInteger.ONE).divide(factor);
    BigInteger smallest = end.negate().divide(factor);
    BigInteger limit = BigInteger.ONE.shiftLeft(width * Byte.SIZE - 1);
    for (BigInteger value :
        new BigInteger[] {
          BigInteger.ZERO,
          largest,
          smallest,
          largest.add(BigInteger.ONE),
          smallest.subtract(BigInteger.ONE),
          end.shiftLeft(1),
          limit.subtract(BigInteger.ONE),
          limit.negate()
        }) {
      if (value.bitLength() < width * Byte.SIZE) {
        boolean fits = value.compareTo(smallest) >= 0 && value.compareTo(largest) <= 0;
        checkExact(conversion, value, width, scale, fits);
      }
    }
  }

  private void checkExact(
      ValueConversion conversion, BigInteger value, int width, int scale, boolean fits) {
    boolean isBigEndian = conversion.name().startsWith("BIG_ENDIAN");
    byte[] stored = new byte[width];
    for (int i = 0; i < width; i++) {
      stored[isBigEndian ? width - 1 - i : i] = value.shiftRight(i * Byte.SIZE).byteValue();
    }
    int row = 70;
    int count = 150;
    byte[] stream = new byte[count * width];
    System.arraycopy(stored, 0, stream, row * width, width);
    int resultBytes = conversion.resultBytes();
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        ParquetConvertKernel kernel = new ParquetConvertKernel(backend(), allocator());
        MemoryBuffer out = patterned((long) count * resultBytes)) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, 0, count, width, 0);
      String what = conversion + " of width " + width + ", scale " + scale + ": " + value;
      if (fits) {
        kernel.convert(windows, conversion, scale, true, CalendarRebase.NONE);
        byte[] actual = new byte[resultBytes];
        out.getBytes((long) row * resultBytes, actual, 0, resultBytes);
        assertArrayEquals(ReferenceConversion.convert(conversion, stored, scale), actual, what);
        return;
      }
      ParquetPageException failure =
          assertThrows(
              ParquetPageException.class,
              () -> kernel.convert(windows, conversion, scale, true, CalendarRebase.NONE),
              what);
      assertEquals(ParquetError.PARQUET_ERROR_CONVERSION, failure.code(), what);
      assertEquals((long) row * width, failure.byteOffset(), what);
    }
  }

  /** The table of a zone with one offset, as Spark lists them. */
  private static CalendarRebase tableOf(TimeZone zone) {
    long[] switches = new long[SWITCH_DAYS.length];
    long[] differences = new long[SWITCH_DAYS.length];
    for (int i = 0; i < switches.length; i++) {
      switches[i] = SWITCH_DAYS[i] * MICROS_PER_DAY - zone.getRawOffset() * 1000L;
      differences[i] = DAY_DIFFERENCES[i] * MICROS_PER_DAY;
    }
    return CalendarRebase.legacy(switches, differences, switches[switches.length - 1]);
  }

  /** Random values; most of those that are checked fit. */
  private byte[] randomValues(ValueConversion conversion, int count, int width) {
    byte[] stream = bytes(count * width);
    for (int at = 0; at < stream.length; at += width) {
      switch (conversion) {
        case DATE_TO_MICROS -> little(stream).putInt(at, random.nextInt(100_000_000));
        case MILLIS_TO_MICROS, MICROS_TO_NANOS ->
            little(stream).putLong(at, random.nextLong() / 1024);
        case FLOAT_TO_F64 -> {
          if (at % 5 == 0) {
            little(stream).putInt(at, 0x7f800000 | random.nextInt());
          }
        }
        default -> {}
      }
    }
    return stream;
  }

  private void check(ValueConversion conversion, byte[] stream, int width, int skip, int scale) {
    int count = stream.length / width - skip;
    int resultBytes = conversion.resultBytes();
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        ParquetConvertKernel kernel = new ParquetConvertKernel(backend(), allocator());
        MemoryBuffer out = patterned((long) count * resultBytes)) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, skip, count, width, 0);
      kernel.convert(windows, conversion, scale, false, CalendarRebase.NONE);
      byte[] actual = new byte[resultBytes];
      for (int i = 0; i < count; i++) {
        int at = (skip + i) * width;
        byte[] stored = Arrays.copyOfRange(stream, at, at + width);
        out.getBytes((long) i * resultBytes, actual, 0, resultBytes);
        byte[] expected = ReferenceConversion.convert(conversion, stored, scale);
        if (!Arrays.equals(expected, actual)) {
          assertArrayEquals(
              expected, actual, conversion + " of width " + width + " seed " + seed());
        }
      }
      checkUntouched(out, (long) count * resultBytes);
    }
  }

  private byte[] run(ValueConversion conversion, byte[] stream, int width, CalendarRebase rebase) {
    int count = stream.length / width;
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        ParquetConvertKernel kernel = new ParquetConvertKernel(backend(), allocator());
        MemoryBuffer out = patterned((long) count * conversion.resultBytes())) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, 0, count, width, 0);
      kernel.convert(windows, conversion, 0, false, rebase);
      byte[] result = new byte[count * conversion.resultBytes()];
      out.getBytes(0, result, 0, result.length);
      return result;
    }
  }

  private void refused(
      ValueConversion conversion,
      byte[] stream,
      int width,
      CalendarRebase rebase,
      int code,
      int offset) {
    ParquetPageException failure =
        assertThrows(ParquetPageException.class, () -> run(conversion, stream, width, rebase));
    assertEquals(code, failure.code(), failure.getMessage());
    assertEquals(offset, failure.byteOffset(), failure.getMessage());
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
