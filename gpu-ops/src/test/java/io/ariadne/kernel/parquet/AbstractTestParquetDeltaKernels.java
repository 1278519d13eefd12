package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** DELTA_BINARY_PACKED integers, against the values the streams were made of. */
abstract class AbstractTestParquetDeltaKernels extends ParquetSuite {
  private static final int PAGES = 64;

  AbstractTestParquetDeltaKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void decodesEveryWidth() {
    for (int width = 0; width <= 64; width++) {
      long[] values = DeltaEncoder.values(random, 700, width);
      byte[] stream = DeltaEncoder.random(random).encode(values);
      check(stream, values, 0, values.length, Long.BYTES);
      check(stream, values, random.nextInt(500), random.nextInt(200), Long.BYTES);
      check(stream, values, random.nextInt(100), 600, Integer.BYTES);
    }
  }

  @Test
  void decodesEveryCount() {
    for (int count : COUNTS) {
      long[] values = DeltaEncoder.values(random, count, 1 + random.nextInt(40));
      for (DeltaEncoder encoder :
          new DeltaEncoder[] {
            DeltaEncoder.USUAL, new DeltaEncoder(8, 1), new DeltaEncoder(1024, 1)
          }) {
        byte[] stream = encoder.encode(values);
        check(stream, values, 0, count, Long.BYTES);
        check(stream, values, 0, count, Integer.BYTES);
        int skip = random.nextInt(count + 1);
        check(stream, values, skip, count - skip, Long.BYTES);
      }
    }
  }

  @Test
  void wrapsAround() {
    long[] values = new long[500];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextLong();
    }
    values[3] = Long.MIN_VALUE;
    values[4] = Long.MAX_VALUE;
    byte[] stream = DeltaEncoder.USUAL.encode(values);
    check(stream, values, 0, 500, Long.BYTES);
    check(stream, values, 0, 500, Integer.BYTES);
  }

  @Test
  void decodesSeveralPages() {
    int[] counts = new int[100];
    long[][] values = new long[counts.length][];
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaDecoder decoder = new DeltaDecoder(backend(), allocator());
        MemoryBuffer out = patterned(100 * 300L * Long.BYTES)) {
      int row = 0;
      for (int page = 0; page < counts.length; page++) {
        counts[page] = random.nextInt(300);
        values[page] = DeltaEncoder.values(random, counts[page], 20);
        byte[] stream = DeltaEncoder.random(random).encode(values[page]);
        long to = out.address() + (long) row * Long.BYTES;
        windows.add(streams.put(stream), stream.length, to, 0, 0, counts[page], Long.BYTES, 0);
        row += counts[page];
      }
      decoder.decode(windows);
      row = 0;
      for (long[] page : values) {
        for (long value : page) {
          assertEquals(value, out.getLong((long) row * Long.BYTES), "seed " + seed());
          row++;
        }
      }
      checkUntouched(out, (long) row * Long.BYTES);
    }
  }

  @Test
  void refusesWrongHeaders() {
    int delta = ParquetError.PARQUET_ERROR_DELTA;
    int truncated = ParquetError.PARQUET_ERROR_TRUNCATED;
    refused(header(0, 4, 10), 10, delta, 0);
    refused(header(128, 0, 10), 10, delta, 0);
    refused(header(128, 3, 10), 10, delta, 0);
    refused(header(128, 32, 10), 10, delta, 0);
    refused(header(4, 8, 10), 10, delta, 0);
    refused(header(1L << 31, 1, 10), 10, delta, 0);
    refused(header(-1L, -1L, 10), 10, delta, 0);
    refused(header(128, 4, 1L << 31), 10, delta, 0);
    byte[] good = header(128, 4, 10);
    refused(good, 10, truncated, good.length);
    refused(good, 11, truncated, good.length);
    refused(new byte[0], 1, truncated, 0);
    byte[] endless = new byte[40];
    Arrays.fill(endless, (byte) 0xff);
    refused(endless, 1, truncated, 0);
    byte[] manyMiniblocks = header(1L << 30, 1L << 27, 100);
    refused(Arrays.copyOf(manyMiniblocks, 60), 100, truncated, 60);
    byte[] wide = Arrays.copyOf(good, 400);
    wide[good.length + 1] = 65;
    refused(wide, 10, ParquetError.PARQUET_ERROR_WIDTH, good.length + 1);
  }

  @Test
  void readsHugeBlocksWithoutBits() {
    byte[] header = header(1L << 30, 1, 5000);
    byte[] stream = Arrays.copyOf(header, header.length + 2);
    stream[header.length] = 6; // smallest delta 3, width 0
    long[] values = new long[5000];
    for (int i = 0; i < values.length; i++) {
      values[i] = -5 + 3L * i;
    }
    check(stream, values, 0, 5000, Long.BYTES);
  }

  @Test
  void survivesTruncationAndAnyBytes() {
    for (int round = 0; round < 150; round++) {
      long[] values = DeltaEncoder.values(random, 1 + random.nextInt(400), random.nextInt(65));
      byte[] stream = DeltaEncoder.random(random).encode(values);
      if (round % 2 == 0) {
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
          int at = random.nextBoolean() ? random.nextInt(stream.length) : random.nextInt(5);
          stream[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
      }
      byte[] cut = Arrays.copyOf(stream, random.nextInt(stream.length) + 1);
      decodeAny(cut, values.length, random.nextBoolean() ? Integer.BYTES : Long.BYTES);
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaDecoder decoder = new DeltaDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) MANY * Long.BYTES)) {
      int count = MANY / PAGES;
      for (int page = 0; page < PAGES; page++) {
        byte[] stream = DeltaEncoder.USUAL.encode(DeltaEncoder.values(random, count, 12));
        long to = out.address() + (long) page * count * Long.BYTES;
        windows.add(streams.put(stream), stream.length, to, 0, 0, count, Long.BYTES, 0);
      }
      decoder.decode(windows);
      checkWork("parquet_delta");
    }
  }

  private static byte[] header(long blockValues, long miniblocks, long values) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DeltaEncoder.number(out, blockValues);
    DeltaEncoder.number(out, miniblocks);
    DeltaEncoder.number(out, values);
    DeltaEncoder.zigzag(out, -5);
    return out.toByteArray();
  }

  private void decodeAny(byte[] stream, int count, int width) {
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaDecoder decoder = new DeltaDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * width)) {
      int skip = random.nextInt(count);
      windows.add(
          streams.put(stream), stream.length, out.address(), 0, skip, count - skip, width, 0);
      try {
        decoder.decode(windows);
      } catch (ParquetPageException e) {
        assertTrue(e.byteOffset() <= stream.length, "seed " + seed());
      }
      checkUntouched(out, (long) (count - skip) * width);
    }
  }

  private void refused(byte[] stream, int count, int code, int offset) {
    for (int width : new int[] {Integer.BYTES, Long.BYTES}) {
      try (StreamMemory streams = new StreamMemory(backend(), allocator());
          StreamWindows windows = new StreamWindows();
          DeltaDecoder decoder = new DeltaDecoder(backend(), allocator());
          MemoryBuffer out = patterned((long) count * width)) {
        windows.add(streams.put(stream), stream.length, out.address(), 0, 0, count, width, 0);
        ParquetPageException failure =
            assertThrows(ParquetPageException.class, () -> decoder.decode(windows));
        assertEquals(code, failure.code(), failure.getMessage());
        assertEquals(offset, failure.byteOffset(), failure.getMessage());
      }
    }
  }

  private void check(byte[] stream, long[] values, int skip, int count, int width) {
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaDecoder decoder = new DeltaDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * width)) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, skip, count, width, 0);
      decoder.decode(windows);
      for (int i = 0; i < count; i++) {
        long at = (long) i * width;
        long actual = width == Long.BYTES ? out.getLong(at) : out.getInt(at);
        long expected = width == Long.BYTES ? values[skip + i] : (int) values[skip + i];
        if (expected != actual) {
          assertEquals(expected, actual, "value " + (skip + i) + " seed " + seed());
        }
      }
      checkUntouched(out, (long) count * width);
    }
  }
}
