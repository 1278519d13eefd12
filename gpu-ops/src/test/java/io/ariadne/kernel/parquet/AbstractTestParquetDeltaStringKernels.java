package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY, against the strings of the streams. */
abstract class AbstractTestParquetDeltaStringKernels extends ParquetSuite {
  private static final int VIEW_BYTES = 16;
  private static final int INLINE_BYTES = 12;
  private static final int HEAP = 7;
  private static final int PAGES = 64;

  AbstractTestParquetDeltaStringKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void decodesStringsOfEveryLength() {
    for (int longest : new int[] {0, 1, 4, 11, 12, 13, 16, 40, 300, 5000}) {
      checkLengths(DeltaStrings.random(random, 401, longest), 0, 401);
      checkLengths(DeltaStrings.random(random, 401, longest), 37, 251);
      checkPrefixes(DeltaStrings.random(random, 401, longest), 401);
      checkPrefixes(DeltaStrings.random(random, 401, longest), 333);
    }
  }

  @Test
  void decodesEveryCount() {
    for (int count : COUNTS) {
      checkLengths(DeltaStrings.random(random, count, 20), 0, count);
      checkPrefixes(DeltaStrings.random(random, count, 20), count);
    }
  }

  @Test
  void decodesSeveralPages() {
    DeltaStrings[] pages = new DeltaStrings[30];
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows lengths = new StreamWindows();
        StreamWindows prefixes = new StreamWindows();
        DeltaLengthDecoder lengthDecoder = new DeltaLengthDecoder(backend(), allocator());
        DeltaByteArrayDecoder prefixDecoder = new DeltaByteArrayDecoder(backend(), allocator());
        MemoryBuffer out = patterned(30L * 500 * VIEW_BYTES);
        MemoryBuffer prefixOut = patterned(30L * 500 * VIEW_BYTES)) {
      long row = 0;
      long[] starts = new long[pages.length];
      for (int page = 0; page < pages.length; page++) {
        pages[page] = DeltaStrings.random(random, random.nextInt(500), page % 5 == 0 ? 200 : 10);
        int count = pages[page].values().length;
        byte[] stream = pages[page].encodeLengths();
        starts[page] = streams.put(stream);
        long aux = (long) page << 32;
        long at = row * VIEW_BYTES;
        lengths.add(starts[page], stream.length, out.address() + at, aux, 0, count, 0, 0);
        byte[] other = pages[page].encodePrefixes();
        long data = streams.put(other);
        prefixes.add(data, other.length, prefixOut.address() + at, 0, 0, count, 0, 0);
        row += count;
      }
      lengthDecoder.decode(lengths);
      DeltaByteArrayDecoder.Strings strings = prefixDecoder.decode(prefixes, HEAP);
      try (MemoryBuffer heap = strings.heap()) {
        row = 0;
        for (int page = 0; page < pages.length; page++) {
          checkViews(out, row, pages[page].values(), page, starts[page]);
          checkViews(prefixOut, row, pages[page].values(), HEAP, heap.address());
          row += pages[page].values().length;
        }
      }
      checkUntouched(out, row * VIEW_BYTES);
      checkUntouched(prefixOut, row * VIEW_BYTES);
    }
  }

  @Test
  void refusesWrongLengths() {
    int length = ParquetError.PARQUET_ERROR_LENGTH;
    byte[] stream = DeltaEncoder.USUAL.encode(new long[] {3, 4, -1, 2});
    byte[] padded = Arrays.copyOf(stream, stream.length + 20);
    lengthsRefused(padded, 4, length, stream.length + 7);
    byte[] tooLong = DeltaEncoder.USUAL.encode(new long[] {3, 4, 14, 2});
    lengthsRefused(Arrays.copyOf(tooLong, tooLong.length + 20), 4, length, tooLong.length + 7);
    lengthsRefused(padded, 5, ParquetError.PARQUET_ERROR_TRUNCATED, padded.length);
    prefixesRefused(new long[] {0, 3, 6, 0}, new long[] {3, 2, 1, 1}, length, 5);
    prefixesRefused(new long[] {1, 0}, new long[] {3, 3}, length, 0);
    prefixesRefused(new long[] {0, -1}, new long[] {3, 3}, length, 3);
    prefixesRefused(new long[] {0, 0}, new long[] {3, 30}, length, 3);
    prefixesRefused(new long[] {0, 0}, new long[] {3, 1L << 31}, length, 3);
  }

  @Test
  void refusesPrefixesThatGrowBeyondMemory() {
    int count = 3000;
    long[] prefixes = new long[count];
    long[] suffixes = new long[count];
    suffixes[0] = 1 << 20;
    Arrays.fill(prefixes, 1, count, 1 << 20);
    byte[] stream = prefixed(prefixes, suffixes, 1 << 20);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaByteArrayDecoder decoder = new DeltaByteArrayDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * VIEW_BYTES)) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, 0, count, 0, 0);
      assertThrows(EngineException.class, () -> decoder.decode(windows, HEAP));
    }
  }

  @Test
  void survivesTruncationAndAnyBytes() {
    for (int round = 0; round < 100; round++) {
      DeltaStrings strings = DeltaStrings.random(random, 1 + random.nextInt(300), 25);
      byte[] stream = round % 2 == 0 ? strings.encodeLengths() : strings.encodePrefixes();
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        int at = random.nextBoolean() ? random.nextInt(stream.length) : random.nextInt(5);
        stream[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      }
      int bytes = random.nextInt(3) == 0 ? stream.length : random.nextInt(stream.length) + 1;
      decodeAny(Arrays.copyOf(stream, bytes), strings.values().length, round % 2 == 0);
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    for (int longest : new int[] {20, 100}) {
      try (StreamMemory streams = new StreamMemory(backend(), allocator());
          StreamWindows windows = new StreamWindows();
          StreamWindows others = new StreamWindows();
          DeltaLengthDecoder lengthDecoder = new DeltaLengthDecoder(backend(), allocator());
          DeltaByteArrayDecoder prefixDecoder = new DeltaByteArrayDecoder(backend(), allocator());
          MemoryBuffer out = patterned((long) MANY * VIEW_BYTES)) {
        int count = MANY / PAGES;
        for (int page = 0; page < PAGES; page++) {
          DeltaStrings made = DeltaStrings.random(random, count, longest);
          DeltaStrings strings = new DeltaStrings(made.values(), DeltaEncoder.USUAL);
          byte[] stream = strings.encodeLengths();
          long to = out.address() + (long) page * count * VIEW_BYTES;
          windows.add(streams.put(stream), stream.length, to, 0, 0, count, 0, 0);
          byte[] other = strings.encodePrefixes();
          others.add(streams.put(other), other.length, to, 0, 0, count, 0, 0);
        }
        lengthDecoder.decode(windows);
        checkWork("parquet_delta_length " + longest);
        prefixDecoder.decode(others, 0).heap().close();
        checkWork("parquet_delta_byte_array_fill " + longest);
      }
    }
  }

  private void checkLengths(DeltaStrings strings, int skip, int count) {
    byte[] stream = strings.encodeLengths();
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaLengthDecoder decoder = new DeltaLengthDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * VIEW_BYTES)) {
      long data = streams.put(stream);
      long aux = (long) HEAP << 32;
      windows.add(data, stream.length, out.address(), aux, skip, count, 0, 0);
      List<BinaryDecoder.Extent> extents = decoder.decode(windows);
      byte[][] window = Arrays.copyOfRange(strings.values(), skip, skip + count);
      checkViews(out, 0, window, HEAP, data);
      checkUntouched(out, (long) count * VIEW_BYTES);
      if (skip + count == strings.values().length) {
        assertEquals(stream.length, extents.get(0).bytes(), "seed " + seed());
        assertEquals(strings.longest(), extents.get(0).longest(), "seed " + seed());
      }
    }
  }

  private void checkPrefixes(DeltaStrings strings, int count) {
    byte[] stream = strings.encodePrefixes();
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaByteArrayDecoder decoder = new DeltaByteArrayDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * VIEW_BYTES)) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, 0, count, 0, 0);
      DeltaByteArrayDecoder.Strings decoded = decoder.decode(windows, HEAP);
      try (MemoryBuffer heap = decoded.heap()) {
        byte[][] window = Arrays.copyOf(strings.values(), count);
        checkViews(out, 0, window, HEAP, heap.address());
        checkUntouched(out, (long) count * VIEW_BYTES);
        assertEquals(new DeltaStrings(window, null).longest(), decoded.longest());
      }
    }
  }

  private void checkViews(MemoryBuffer out, long row, byte[][] values, int heap, long heapAddress) {
    for (byte[] value : values) {
      long at = row * VIEW_BYTES;
      assertEquals(value.length, out.getInt(at), () -> "seed " + seed());
      byte[] actual = new byte[value.length];
      if (value.length <= INLINE_BYTES) {
        out.getBytes(at + 4, actual, 0, value.length);
        for (int k = value.length; k < INLINE_BYTES; k++) {
          assertEquals(0, out.getByte(at + 4 + k));
        }
      } else {
        assertEquals(heap, out.getInt(at + 8), () -> "seed " + seed());
        for (int k = 0; k < value.length; k++) {
          actual[k] = Memory.getByte(heapAddress + out.getInt(at + 12) + k);
        }
        for (int k = 0; k < 4; k++) {
          assertEquals(value[k], out.getByte(at + 4 + k));
        }
      }
      assertArrayEquals(value, actual, () -> "seed " + seed());
      row++;
    }
  }

  private void decodeAny(byte[] stream, int count, boolean isLengths) {
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaLengthDecoder lengthDecoder = new DeltaLengthDecoder(backend(), allocator());
        DeltaByteArrayDecoder prefixDecoder = new DeltaByteArrayDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * VIEW_BYTES)) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, 0, count, 0, 0);
      try {
        if (isLengths) {
          lengthDecoder.decode(windows);
        } else {
          prefixDecoder.decode(windows, HEAP).heap().close();
        }
      } catch (ParquetPageException e) {
        assertTrue(e.byteOffset() <= stream.length, "seed " + seed());
      }
      checkUntouched(out, (long) count * VIEW_BYTES);
    }
  }

  private static byte[] prefixed(long[] prefixes, long[] suffixes, int bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(DeltaEncoder.USUAL.encode(prefixes));
    out.writeBytes(DeltaEncoder.USUAL.encode(suffixes));
    out.writeBytes(new byte[bytes]);
    return out.toByteArray();
  }

  private void prefixesRefused(long[] prefixes, long[] suffixes, int code, int offset) {
    byte[] stream = prefixed(prefixes, suffixes, 20);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaByteArrayDecoder decoder = new DeltaByteArrayDecoder(backend(), allocator());
        MemoryBuffer out = patterned(4L * VIEW_BYTES)) {
      int count = prefixes.length;
      windows.add(streams.put(stream), stream.length, out.address(), 0, 0, count, 0, 0);
      ParquetPageException failure =
          assertThrows(ParquetPageException.class, () -> decoder.decode(windows, HEAP));
      assertEquals(code, failure.code(), failure.getMessage());
      assertEquals(stream.length - 20 + offset, failure.byteOffset());
    }
  }

  private void lengthsRefused(byte[] stream, int count, int code, int offset) {
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DeltaLengthDecoder decoder = new DeltaLengthDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * VIEW_BYTES)) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, 0, count, 0, 0);
      ParquetPageException failure =
          assertThrows(ParquetPageException.class, () -> decoder.decode(windows));
      assertEquals(code, failure.code(), failure.getMessage());
      assertEquals(offset, failure.byteOffset());
    }
  }
}
