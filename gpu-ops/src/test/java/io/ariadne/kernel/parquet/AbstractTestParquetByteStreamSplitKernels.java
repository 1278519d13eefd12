package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.testing.KernelTestTarget;
import org.junit.jupiter.api.Test;

/** BYTE_STREAM_SPLIT, against the values the streams were made of. */
abstract class AbstractTestParquetByteStreamSplitKernels extends ParquetSuite {
  private static final int[] WIDTHS = {1, 2, 3, 4, 5, 7, 8, 11, 12, 16, 17, 20, 33, 40};

  AbstractTestParquetByteStreamSplitKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void decodesEveryWidth() {
    for (int width : WIDTHS) {
      check(width, 0, 333);
      check(width, 41, 250);
    }
    check(1000, 3, 20);
  }

  @Test
  void decodesEveryCount() {
    for (int count : COUNTS) {
      check(4, 0, count);
      check(8, random.nextInt(9), count);
      check(3, random.nextInt(9), count);
    }
  }

  @Test
  void refusesWrongStreams() {
    byte[] stream = new byte[80];
    int truncated = ParquetError.PARQUET_ERROR_TRUNCATED;
    int width = ParquetError.PARQUET_ERROR_WIDTH;
    int[][] wrong = {
      {8, 0, 11, truncated, 80}, {8, 5, 6, truncated, 80}, {7, 0, 2, truncated, 80},
      {0, 0, 2, width, 0}, {65536, 0, 2, width, 0}, {-1, 0, 2, width, 0}
    };
    for (int[] line : wrong) {
      try (StreamMemory streams = new StreamMemory(backend(), allocator());
          StreamWindows windows = new StreamWindows();
          ByteStreamSplitDecoder decoder = new ByteStreamSplitDecoder(backend(), allocator());
          MemoryBuffer out = patterned(256)) {
        long data = streams.put(stream);
        windows.add(data, stream.length, out.address(), 0, line[1], line[2], line[0], 0);
        ParquetPageException failure =
            assertThrows(ParquetPageException.class, () -> decoder.decode(windows));
        assertEquals(line[3], failure.code(), failure.getMessage());
        assertEquals(line[4], failure.byteOffset());
        checkUntouched(out, 0);
      }
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    check(8, 0, MANY);
    checkWork("parquet_byte_stream_split");
    check(7, 0, MANY);
    checkWork("parquet_byte_stream_split odd");
  }

  private void check(int width, int skip, int count) {
    int values = skip + count + random.nextInt(5);
    byte[] stream = new byte[values * width];
    random.nextBytes(stream);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        ByteStreamSplitDecoder decoder = new ByteStreamSplitDecoder(backend(), allocator());
        MemoryBuffer out = patterned((long) count * width)) {
      windows.add(streams.put(stream), stream.length, out.address(), 0, skip, count, width, 0);
      decoder.decode(windows);
      for (int i = 0; i < count; i++) {
        for (int k = 0; k < width; k++) {
          byte expected = stream[k * values + skip + i];
          if (expected != out.getByte((long) i * width + k)) {
            throw new AssertionError("width " + width + " value " + i + " seed " + seed());
          }
        }
      }
      checkUntouched(out, (long) count * width);
    }
  }
}
