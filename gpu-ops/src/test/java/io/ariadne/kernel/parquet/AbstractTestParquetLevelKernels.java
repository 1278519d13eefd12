package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.HybridStream.Shape;
import io.ariadne.kernel.testing.KernelTestTarget;
import org.junit.jupiter.api.Test;

/** Levels to validity bits and to bytes, against the values the streams were made of. */
abstract class AbstractTestParquetLevelKernels extends ParquetSuite {
  AbstractTestParquetLevelKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void decodesValidityOfOneBitLevels() {
    for (Shape shape : Shape.values()) {
      for (int count : COUNTS) {
        checkValidity(shape, 1, 1, 1, count);
      }
    }
  }

  @Test
  void decodesValidityByThreshold() {
    for (Shape shape : Shape.values()) {
      for (int maximum : new int[] {1, 2, 3, 7, 300}) {
        int width = Integer.SIZE - Integer.numberOfLeadingZeros(maximum);
        checkValidity(shape, width, maximum, random.nextInt(maximum + 2), 1025);
      }
    }
    checkValidity(Shape.MIXED, 3, 5, 2, MANY);
  }

  @Test
  void unpacksLevelsToBytes() {
    for (Shape shape : Shape.values()) {
      for (int width = 1; width <= 8; width++) {
        checkLevels(shape, width, 1025);
      }
    }
    for (int count : COUNTS) {
      checkLevels(Shape.MIXED, 2, count);
    }
  }

  @Test
  void levelsOfWidthZeroAreZero() {
    try (StreamWindows windows = new StreamWindows();
        LevelDecoder decoder = new LevelDecoder(backend(), allocator());
        MemoryBuffer bits = allocator().allocateZeroed(1024);
        MemoryBuffer bytes = patterned(100)) {
      windows.add(bits.address(), 0, bits.address(), 7, 3, 1000, 0, LevelDecoder.limit(0, 0));
      PresentCounts counts = decoder.validity(windows);
      assertEquals(3, counts.skipped(0));
      assertEquals(1000, counts.counted(0));
      for (int i = 0; i < 1030; i++) {
        assertEquals(i >= 7 && i < 1007, bit(bits, i));
      }
      windows.clear();
      windows.add(bits.address(), 0, bytes.address(), 0, 3, 100, 0, 0);
      decoder.levels(windows);
      assertEquals(0, bytes.getByte(0));
      assertEquals(0, bytes.getByte(99));
      checkUntouched(bytes, 100);
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    checkOnePage(Shape.MIXED, 1, "parquet_validity");
    checkOnePage(Shape.SHORT, 1, "parquet_validity short runs");
    checkOnePage(Shape.PACKED, 2, "parquet_validity wide");
  }

  private void checkOnePage(Shape shape, int width, String budget) {
    int maximum = (1 << width) - 1;
    HybridStream stream = HybridStream.random(random, shape, width, maximum + 1L, MANY);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        LevelDecoder decoder = new LevelDecoder(backend(), allocator());
        MemoryBuffer out = allocator().allocateZeroed(MANY / Byte.SIZE + 8)) {
      long data = streams.put(stream.bytes());
      int limit = LevelDecoder.limit(maximum, maximum);
      windows.add(data, stream.bytes().length, out.address(), 0, 0, MANY, width, limit);
      decoder.validity(windows);
      checkWork(budget);
      checkBits(stream, maximum, 0, MANY, out, 0);
    }
  }

  /** Several windows, of one page each, whose bits follow each other in one bitmap. */
  private void checkValidity(Shape shape, int width, int maximum, int threshold, int count) {
    int pages = 3;
    int[] skips = new int[pages];
    HybridStream[] made = new HybridStream[pages];
    int first = random.nextInt(70);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        LevelDecoder decoder = new LevelDecoder(backend(), allocator());
        MemoryBuffer out =
            allocator().allocateZeroed((pages * (long) count + 70) / Byte.SIZE + 8)) {
      for (int page = 0; page < pages; page++) {
        skips[page] = page == 0 ? 0 : random.nextInt(count + 1);
        int values = skips[page] + count;
        made[page] = HybridStream.random(random, shape, width, maximum + 1L, values);
        long data = streams.put(made[page].bytes());
        windows.add(
            data,
            made[page].bytes().length,
            out.address(),
            first + (long) page * count,
            skips[page],
            count,
            width,
            LevelDecoder.limit(maximum, threshold));
      }
      PresentCounts counts = decoder.validity(windows);
      for (int page = 0; page < pages; page++) {
        int at = first + page * count;
        int present = checkBits(made[page], threshold, skips[page], count, out, at);
        assertEquals(present, counts.counted(page), () -> "seed " + seed());
        assertEquals(
            reaching(made[page], threshold, 0, skips[page]),
            counts.skipped(page),
            () -> "seed " + seed());
      }
      for (int at = 0; at < out.capacityInBytes() * Byte.SIZE; at++) {
        if (at < first || at >= first + (long) pages * count) {
          assertEquals(false, bit(out, at), "bit " + at + " seed " + seed());
        }
      }
    }
  }

  private int checkBits(
      HybridStream stream, int threshold, int skip, int count, MemoryBuffer out, int at) {
    for (int i = 0; i < count; i++) {
      if ((stream.values()[skip + i] >= threshold) != bit(out, at + i)) {
        throw new AssertionError("level " + i + " of " + count + " seed " + seed());
      }
    }
    return reaching(stream, threshold, skip, skip + count);
  }

  private static int reaching(HybridStream stream, int threshold, int from, int to) {
    int found = 0;
    for (int i = from; i < to; i++) {
      found += stream.values()[i] >= threshold ? 1 : 0;
    }
    return found;
  }

  private void checkLevels(Shape shape, int width, int count) {
    int maximum = (1 << width) - 1 - (width > 1 ? random.nextInt(2) : 0);
    int skip = random.nextInt(count + 1);
    HybridStream stream = HybridStream.random(random, shape, width, maximum + 1L, skip + count);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        LevelDecoder decoder = new LevelDecoder(backend(), allocator());
        MemoryBuffer out = patterned(count)) {
      long data = streams.put(stream.bytes());
      windows.add(data, stream.bytes().length, out.address(), 0, skip, count, width, maximum);
      PresentCounts counts = decoder.levels(windows);
      for (int i = 0; i < count; i++) {
        assertEquals((byte) stream.values()[skip + i], out.getByte(i), "level " + i);
      }
      checkUntouched(out, count);
      assertEquals(reaching(stream, maximum, skip, skip + count), counts.counted(0));
      assertEquals(reaching(stream, maximum, 0, skip), counts.skipped(0));
    }
  }
}
