package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** PLAIN binaries to string views, against the strings the pages were made of. */
abstract class AbstractTestParquetBinaryKernels extends ParquetSuite {
  private static final int VIEW_BYTES = 16;
  private static final int INLINE_BYTES = 12;
  private static final int HEAP = 3;
  private static final int HEAP_OFFSET = 640;

  AbstractTestParquetBinaryKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void decodesStringsOfEveryLength() {
    for (int longest : new int[] {0, 1, 4, 11, 12, 13, 16, 40, 300, 5000}) {
      check(random(401, longest), 0, 401);
      check(random(401, longest), 37, 251);
    }
  }

  @Test
  void decodesEveryCount() {
    for (int count : COUNTS) {
      int skip = random.nextInt(50);
      check(random(skip + count, 20), skip, count);
    }
  }

  @Test
  void decodesSeveralPages() {
    byte[][][] pages = new byte[5][][];
    for (int page = 0; page < pages.length; page++) {
      pages[page] = random(1 + random.nextInt(600), page == 2 ? 0 : 30);
    }
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        BinaryDecoder decoder = new BinaryDecoder(backend(), allocator())) {
      int total = Arrays.stream(pages).mapToInt(page -> page.length).sum();
      try (MemoryBuffer out = patterned((long) total * VIEW_BYTES)) {
        long at = out.address();
        for (byte[][] page : pages) {
          byte[] stream = plain(page);
          windows.add(streams.put(stream), stream.length, at, aux(), 0, page.length, 0, 0);
          at += (long) page.length * VIEW_BYTES;
        }
        decoder.decode(windows);
        int row = 0;
        for (byte[][] page : pages) {
          checkViews(out, row, page, 0, page.length);
          row += page.length;
        }
        checkUntouched(out, (long) total * VIEW_BYTES);
      }
    }
  }

  @Test
  void refusesDamagedLengths() {
    byte[] stream = plain(random(300, 20));
    byte[][] strings = random(100, 9);
    byte[] negative = plain(strings);
    int at = offsetOf(strings, 60);
    negative[at + 3] = (byte) 0x80;
    checkRefused(negative, 100, ParquetError.PARQUET_ERROR_LENGTH, at);
    byte[] tooLong = plain(strings);
    ByteBuffer.wrap(tooLong).order(ByteOrder.LITTLE_ENDIAN).putInt(at, tooLong.length - at - 3);
    checkRefused(tooLong, 100, ParquetError.PARQUET_ERROR_LENGTH, at);
    checkRefused(stream, 301, ParquetError.PARQUET_ERROR_TRUNCATED, stream.length);
    byte[] cut = Arrays.copyOf(plain(strings), at + 2);
    checkRefused(cut, 100, ParquetError.PARQUET_ERROR_TRUNCATED, at);
    checkRefused(new byte[0], 1, ParquetError.PARQUET_ERROR_TRUNCATED, 0);
  }

  @Test
  void survivesAnyBytes() {
    for (int round = 0; round < 60; round++) {
      byte[] stream = plain(random(200, 20));
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        stream[random.nextInt(stream.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      }
      decodeAny(Arrays.copyOf(stream, random.nextInt(stream.length) + 1));
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    check(random(MANY, 20), 0, MANY);
    checkWork("parquet_binary");
    check(random(MANY / 4, 200), 0, MANY / 4);
    checkWork("parquet_binary long");
  }

  private void decodeAny(byte[] stream) {
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        BinaryDecoder decoder = new BinaryDecoder(backend(), allocator());
        MemoryBuffer out = patterned(200L * VIEW_BYTES)) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, 20, 180, 0, 0);
      try {
        long bytes = decoder.decode(windows).get(0).bytes();
        assertEquals(true, bytes <= stream.length, "seed " + seed());
      } catch (ParquetPageException e) {
        assertEquals(true, e.byteOffset() <= stream.length, "seed " + seed());
      }
      checkUntouched(out, 180L * VIEW_BYTES);
    }
  }

  private void checkRefused(byte[] stream, int count, int code, int offset) {
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        BinaryDecoder decoder = new BinaryDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * VIEW_BYTES)) {
      byte[] good = plain(random(count, 5));
      windows.add(streams.put(good), good.length, out.address(), 0, count, 0, 0, 0);
      windows.add(streams.put(stream), stream.length, out.address(), 0, 0, count, 0, 0);
      ParquetPageException failure =
          assertThrows(ParquetPageException.class, () -> decoder.decode(windows));
      assertEquals(code, failure.code(), failure.getMessage());
      assertEquals(offset, failure.byteOffset());
      assertEquals(1, failure.window());
    }
  }

  private void check(byte[][] strings, int skip, int count) {
    byte[] stream = plain(strings);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        BinaryDecoder decoder = new BinaryDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * VIEW_BYTES)) {
      windows.add(streams.put(stream), stream.length, out.address(), aux(), skip, count, 0, 0);
      BinaryDecoder.Extent extent = decoder.decode(windows).get(0);
      checkViews(out, 0, strings, skip, count);
      checkUntouched(out, (long) count * VIEW_BYTES);
      assertEquals(offsetOf(strings, skip + count), extent.bytes(), "seed " + seed());
      int longest = 0;
      for (int i = 0; i < skip + count; i++) {
        longest = Math.max(longest, strings[i].length);
      }
      assertEquals(longest, extent.longest(), "seed " + seed());
    }
  }

  private void checkViews(MemoryBuffer out, int row, byte[][] strings, int skip, int count) {
    int offset = offsetOf(strings, skip);
    for (int i = 0; i < count; i++) {
      byte[] string = strings[skip + i];
      long at = (long) (row + i) * VIEW_BYTES;
      assertEquals(string.length, out.getInt(at), () -> "seed " + seed());
      int shown = string.length <= INLINE_BYTES ? string.length : 4;
      for (int k = 0; k < (string.length <= INLINE_BYTES ? INLINE_BYTES : 4); k++) {
        assertEquals(k < shown ? string[k] : 0, out.getByte(at + 4 + k), () -> "seed " + seed());
      }
      if (string.length > INLINE_BYTES) {
        assertEquals(HEAP, out.getInt(at + 8));
        assertEquals(HEAP_OFFSET + offset + 4, out.getInt(at + 12));
      }
      offset += 4 + string.length;
    }
  }

  private static long aux() {
    return (long) HEAP << 32 | HEAP_OFFSET;
  }

  private byte[][] random(int count, int longest) {
    byte[][] strings = new byte[count][];
    for (int i = 0; i < count; i++) {
      strings[i] = new byte[random.nextInt(longest + 1)];
      random.nextBytes(strings[i]);
    }
    return strings;
  }

  private static int offsetOf(byte[][] strings, int number) {
    int offset = 0;
    for (int i = 0; i < number; i++) {
      offset += 4 + strings[i].length;
    }
    return offset;
  }

  private static byte[] plain(byte[][] strings) {
    ByteBuffer bytes =
        ByteBuffer.allocate(offsetOf(strings, strings.length)).order(ByteOrder.LITTLE_ENDIAN);
    for (byte[] string : strings) {
      bytes.putInt(string.length).put(string);
    }
    return bytes.array();
  }
}
