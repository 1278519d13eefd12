package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.HybridStream.Shape;
import io.ariadne.kernel.testing.KernelTestTarget;
import org.junit.jupiter.api.Test;

/** Dictionary indices, booleans and fixed-length binaries, against what the pages were made of. */
abstract class AbstractTestParquetDenseKernels extends ParquetSuite {
  private static final int INLINE_BYTES = 12;

  AbstractTestParquetDenseKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void decodesCodesOfEveryWidth() {
    for (int width = 1; width <= 32; width++) {
      checkCodes(Shape.values()[width % Shape.values().length], width, 1025);
      checkCodes(Shape.MIXED, width, 333);
    }
  }

  @Test
  void decodesEveryCountOfCodes() {
    for (Shape shape : Shape.values()) {
      for (int count : COUNTS) {
        checkCodes(shape, 11, count);
      }
    }
  }

  @Test
  void decodesCodesOfWidthZero() {
    try (StreamWindows windows = new StreamWindows();
        DenseDecoder decoder = new DenseDecoder(backend(), allocator());
        KernelStatus status = backend().newStatus();
        MemoryBuffer out = patterned(100L * Integer.BYTES)) {
      windows.add(out.address(), 0, out.address(), 0, 5, 100, 0, 1);
      decoder.codes(windows, status);
      DenseDecoder.await(status);
      for (int i = 0; i < 100; i++) {
        assertEquals(0, out.getInt((long) i * Integer.BYTES));
      }
      checkUntouched(out, 100L * Integer.BYTES);
    }
  }

  @Test
  void decodesBooleans() {
    for (Shape shape : Shape.values()) {
      for (int count : COUNTS) {
        checkBooleans(shape, count, false);
      }
    }
    for (int count : COUNTS) {
      checkBooleans(Shape.PACKED, count, true);
    }
  }

  @Test
  void decodesFixedLengthValues() {
    for (int width : new int[] {1, 3, 4, 5, 8, 11, 12, 13, 16, 40}) {
      checkFixed(width, 1025);
    }
    for (int count : COUNTS) {
      checkFixed(7, count);
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    for (Shape shape : new Shape[] {Shape.PACKED, Shape.REPEATED, Shape.SHORT}) {
      HybridStream stream = HybridStream.random(random, shape, 9, 400, MANY);
      try (StreamMemory streams = new StreamMemory(backend(), allocator());
          StreamWindows windows = new StreamWindows();
          DenseDecoder decoder = new DenseDecoder(backend(), allocator());
          KernelStatus status = backend().newStatus();
          MemoryBuffer out = allocator().allocate((long) MANY * Integer.BYTES)) {
        long data = streams.put(stream.bytes());
        windows.add(data, stream.bytes().length, out.address(), 0, 0, MANY, 9, 400);
        decoder.codes(windows, status);
        DenseDecoder.await(status);
        checkWork("parquet_codes " + shape);
      }
    }
    checkFixed(16, MANY);
    checkWork("parquet_fixed_binary");
  }

  private void checkCodes(Shape shape, int width, int count) {
    long bound = Math.max(1, Math.min(Integer.MAX_VALUE, (1L << width) - random.nextInt(2)));
    int[] skips = {0, random.nextInt(count + 1), 8 * random.nextInt(count / 8 + 1)};
    HybridStream[] made = new HybridStream[skips.length];
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DenseDecoder decoder = new DenseDecoder(backend(), allocator());
        KernelStatus status = backend().newStatus();
        MemoryBuffer out = patterned((long) skips.length * count * Integer.BYTES)) {
      for (int i = 0; i < skips.length; i++) {
        made[i] = HybridStream.random(random, shape, width, bound, skips[i] + count);
        byte[] bytes = made[i].bytes();
        long to = out.address() + (long) i * count * Integer.BYTES;
        long data = streams.put(bytes);
        windows.add(data, bytes.length, to, 0, skips[i], count, width, (int) bound);
      }
      decoder.codes(windows, status);
      DenseDecoder.await(status);
      for (int i = 0; i < skips.length; i++) {
        for (int k = 0; k < count; k++) {
          int actual = out.getInt(((long) i * count + k) * Integer.BYTES);
          if (made[i].values()[skips[i] + k] != actual) {
            throw new AssertionError("width " + width + " value " + k + " seed " + seed());
          }
        }
      }
      checkUntouched(out, (long) skips.length * count * Integer.BYTES);
    }
  }

  private void checkBooleans(Shape shape, int count, boolean plain) {
    int skip = random.nextInt(count + 1);
    int first = random.nextInt(70);
    HybridStream stream = HybridStream.random(random, shape, 1, 2, skip + count);
    byte[] bytes = plain ? plainBits(stream.values()) : stream.bytes();
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DenseDecoder decoder = new DenseDecoder(backend(), allocator());
        KernelStatus status = backend().newStatus();
        MemoryBuffer out = allocator().allocateZeroed((count + 70L) / Byte.SIZE + 8)) {
      long data = streams.put(bytes);
      windows.add(data, bytes.length, out.address(), first, skip, count, plain ? 0 : 1, 0);
      decoder.bits(windows, status);
      DenseDecoder.await(status);
      for (int at = 0; at < out.capacityInBytes() * Byte.SIZE; at++) {
        boolean isIn = at >= first && at < first + count;
        boolean expected = isIn && stream.values()[skip + at - first] != 0;
        assertEquals(expected, bit(out, at), "bit " + at + " seed " + seed());
      }
    }
  }

  private static byte[] plainBits(int[] values) {
    byte[] bytes = new byte[(values.length + Byte.SIZE - 1) / Byte.SIZE];
    for (int i = 0; i < values.length; i++) {
      bytes[i / Byte.SIZE] |= (byte) (values[i] << (i % Byte.SIZE));
    }
    return bytes;
  }

  private void checkFixed(int width, int count) {
    int skip = random.nextInt(20);
    byte[] bytes = new byte[(skip + count) * width];
    random.nextBytes(bytes);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DenseDecoder decoder = new DenseDecoder(backend(), allocator());
        KernelStatus status = backend().newStatus();
        MemoryBuffer out = patterned(count * 16L)) {
      long data = streams.put(bytes);
      windows.add(data, bytes.length, out.address(), 5L << 32 | 1000, skip, count, width, 0);
      decoder.fixedBinary(windows, status);
      DenseDecoder.await(status);
      for (int i = 0; i < count; i++) {
        checkView(out, i, bytes, (skip + i) * width, width);
      }
      checkUntouched(out, count * 16L);
    }
  }

  private static void checkView(MemoryBuffer views, int row, byte[] bytes, int from, int width) {
    long at = row * 16L;
    assertEquals(width, views.getInt(at));
    int shown = width <= INLINE_BYTES ? width : 4;
    for (int i = 0; i < (width <= INLINE_BYTES ? INLINE_BYTES : 4); i++) {
      assertEquals(i < shown ? bytes[from + i] : 0, views.getByte(at + 4 + i));
    }
    if (width > INLINE_BYTES) {
      assertEquals(5, views.getInt(at + 8));
      assertEquals(1000 + from, views.getInt(at + 12));
    }
  }
}
