package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.parquet.HybridStream.Shape;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Hybrid streams of any bytes: values or error are those that a decoder in plain Java finds, and
 * nothing is read or written out of bounds.
 */
abstract class AbstractTestParquetDamagedRuns extends ParquetSuite {
  private static final int COUNT = 300;
  private static final int ROUNDS = 60;

  AbstractTestParquetDamagedRuns(KernelTestTarget target) {
    super(target);
  }

  @Test
  void codesEqualTheReferenceOnDamagedStreams() {
    for (int round = 0; round < ROUNDS; round++) {
      int width = 1 + random.nextInt(32);
      int limit = (int) Math.min(Integer.MAX_VALUE, (1L << width) - random.nextInt(2));
      checkCodes(damaged(width, limit), width, limit, random.nextInt(COUNT));
    }
  }

  @Test
  void codesEqualTheReferenceOnChosenStreams() {
    byte[] endless = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 1, 1};
    byte[] absurdRun = {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0xf, 1};
    byte[] absurdGroups = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0xf, 1};
    byte[] emptyRuns = {0, 1, 1, 1, 0, 0, 0, 2, 2, 6, 1, 2, 2};
    for (byte[] stream : new byte[][] {endless, absurdRun, absurdGroups, emptyRuns, {}, {2}}) {
      checkCodes(stream, 3, 4, 0);
      checkCodes(stream, 8, 2, 2);
    }
    checkCodes(new byte[0], 0, 1, 5);
    checkCodes(new byte[0], 0, 0, 5);
    checkCodes(new byte[0], 33, 5, 0);
  }

  @Test
  void levelsEqualTheReferenceOnDamagedStreams() {
    for (int round = 0; round < ROUNDS; round++) {
      int width = 1 + random.nextInt(8);
      int maximum = Math.max(1, (1 << width) - 1 - random.nextInt(2));
      checkLevels(damaged(width, maximum + 1), width, maximum, random.nextInt(COUNT));
    }
    checkLevels(new byte[] {3, 1}, 9, 1, 0);
  }

  @Test
  void validityEqualsTheReferenceOnDamagedStreams() {
    for (int round = 0; round < ROUNDS; round++) {
      int width = 1 + random.nextInt(random.nextBoolean() ? 1 : 10);
      int maximum = Math.max(1, (1 << width) - 1 - random.nextInt(2));
      int threshold = random.nextInt(maximum + 2);
      checkValidity(damaged(width, maximum + 1), width, maximum, threshold, random.nextInt(COUNT));
    }
    checkValidity(new byte[] {3, 1}, 17, 1, 1, 0);
    byte[] emptyRunAboveMaximum = {0, 3, 1, 2, 1};
    for (int threshold = 0; threshold < 3; threshold++) {
      checkValidity(emptyRunAboveMaximum, 1, 1, threshold, 0);
      checkValidity(emptyRunAboveMaximum, 1, 1, threshold, COUNT - 1);
    }
  }

  @Test
  void booleansEqualTheReferenceOnDamagedStreams() {
    for (int round = 0; round < ROUNDS; round++) {
      checkBooleans(damaged(1, 2), random.nextInt(COUNT));
    }
  }

  /** A stream that is cut, or some of whose bits are flipped, or both, or neither. */
  private byte[] damaged(int width, int bound) {
    Shape shape = Shape.values()[random.nextInt(Shape.values().length)];
    byte[] stream = HybridStream.random(random, shape, width, bound, COUNT).bytes();
    for (int flips = random.nextInt(4); flips > 0; flips--) {
      stream[random.nextInt(stream.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return random.nextInt(3) == 0
        ? Arrays.copyOf(stream, random.nextInt(stream.length + 1))
        : stream;
  }

  /** The verdict of a launch: 0, or the error's code, with its place. */
  private record Verdict(int code, long offset) {
    static Verdict of(Runnable launch) {
      try {
        launch.run();
        return new Verdict(0, 0);
      } catch (ParquetPageException e) {
        return new Verdict(e.code(), e.byteOffset());
      }
    }
  }

  private void checkVerdict(ReferenceHybrid reference, Verdict verdict, String what) {
    String context = what + " seed " + seed();
    assertEquals(reference.code(), verdict.code(), context);
    assertEquals(reference.offset(), verdict.offset(), context);
  }

  /** The reference's answer; a width the kernel refuses is an error at byte 0. */
  private static ReferenceHybrid decoded(
      byte[] stream, int width, int wanted, int limit, int from, int code, int maxWidth) {
    if (width > maxWidth) {
      int refused = ParquetError.PARQUET_ERROR_WIDTH;
      return ReferenceHybrid.failed(refused);
    }
    ReferenceHybrid reference = new ReferenceHybrid(stream, width, wanted, limit, from, code);
    reference.decode();
    return reference;
  }

  private void checkCodes(byte[] stream, int width, int limit, int skip) {
    int count = COUNT - skip;
    int code = ParquetError.PARQUET_ERROR_INDEX;
    ReferenceHybrid reference =
        limit == 0
            ? ReferenceHybrid.failed(code)
            : decoded(stream, width, COUNT, limit - 1, skip, code, 32);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DenseDecoder decoder = new DenseDecoder(backend(), allocator());
        KernelStatus status = backend().newStatus();
        MemoryBuffer out = patterned((long) count * Integer.BYTES)) {
      long data = streams.put(stream);
      windows.add(data, stream.length, out.address(), 0, skip, count, width, limit);
      decoder.codes(windows, status);
      checkVerdict(reference, Verdict.of(() -> DenseDecoder.await(status)), "width " + width);
      for (int i = 0; reference.code() == 0 && i < count; i++) {
        assertEquals(reference.value(skip + i), out.getInt((long) i * Integer.BYTES));
      }
      checkUntouched(out, (long) count * Integer.BYTES);
    }
  }

  private void checkLevels(byte[] stream, int width, int maximum, int skip) {
    int count = COUNT - skip;
    int code = ParquetError.PARQUET_ERROR_LEVEL;
    ReferenceHybrid reference = decoded(stream, width, COUNT, maximum, 0, code, 8);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        LevelDecoder decoder = new LevelDecoder(backend(), allocator());
        MemoryBuffer out = patterned(count)) {
      long data = streams.put(stream);
      windows.add(data, stream.length, out.address(), 0, skip, count, width, maximum);
      checkVerdict(reference, Verdict.of(() -> decoder.levels(windows)), "width " + width);
      for (int i = 0; reference.code() == 0 && i < count; i++) {
        assertEquals((byte) reference.value(skip + i), out.getByte(i));
      }
      checkUntouched(out, count);
    }
  }

  private void checkValidity(byte[] stream, int width, int maximum, int threshold, int skip) {
    int count = COUNT - skip;
    int code = ParquetError.PARQUET_ERROR_LEVEL;
    ReferenceHybrid reference = decoded(stream, width, COUNT, maximum, 0, code, 16);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        LevelDecoder decoder = new LevelDecoder(backend(), allocator());
        MemoryBuffer out = allocator().allocateZeroed(COUNT)) {
      long data = streams.put(stream);
      int limit = LevelDecoder.limit(maximum, threshold);
      windows.add(data, stream.length, out.address(), 11, skip, count, width, limit);
      checkVerdict(reference, Verdict.of(() -> decoder.validity(windows)), "width " + width);
      for (int i = 0; reference.code() == 0 && i < count; i++) {
        assertEquals(reference.value(skip + i) >= threshold, bit(out, 11 + i), "seed " + seed());
      }
      checkOutside(out, 11, count);
    }
  }

  private void checkBooleans(byte[] stream, int skip) {
    int count = COUNT - skip;
    ReferenceHybrid reference = decoded(stream, 1, COUNT, -1, 0, 0, 1);
    try (StreamMemory streams = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        DenseDecoder decoder = new DenseDecoder(backend(), allocator());
        KernelStatus status = backend().newStatus();
        MemoryBuffer out = allocator().allocateZeroed(COUNT)) {
      long data = streams.put(stream);
      windows.add(data, stream.length, out.address(), 11, skip, count, 1, 0);
      decoder.bits(windows, status);
      checkVerdict(reference, Verdict.of(() -> DenseDecoder.await(status)), "booleans");
      for (int i = 0; reference.code() == 0 && i < count; i++) {
        assertEquals(reference.value(skip + i) != 0, bit(out, 11 + i), "seed " + seed());
      }
      checkOutside(out, 11, count);
    }
  }

  private void checkOutside(MemoryBuffer bits, int first, int count) {
    for (int at = 0; at < bits.capacityInBytes() * Byte.SIZE; at++) {
      if (at < first || at >= first + count) {
        assertEquals(false, bit(bits, at), "bit " + at + " seed " + seed());
      }
    }
  }
}
