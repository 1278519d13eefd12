package io.ariadne.kernel.unpack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelError;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.UnpackU32ArgsLayout;
import io.ariadne.kernel.abi.UnpackU64ArgsLayout;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import org.junit.jupiter.api.Test;

/** Bit-unpacking against packing in plain Java. */
abstract class AbstractTestUnpackKernels extends AbstractTestKernels {
  private static final int[] COUNTS = {0, 1, 31, 32, 33, 1023, 1025};
  private static final int TRUNCATED = 244;
  private static final int WIDTH = 245;
  private static final byte UNTOUCHED = 0x5A;

  AbstractTestUnpackKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void unpacksEveryWidthToInts() {
    for (int width = 0; width <= Integer.SIZE; width++) {
      for (int count : COUNTS) {
        checkRandom(Integer.SIZE, width, count);
      }
    }
  }

  @Test
  void unpacksEveryWidthToLongs() {
    for (int width = 0; width <= Long.SIZE; width++) {
      for (int count : COUNTS) {
        checkRandom(Long.SIZE, width, count);
      }
    }
  }

  @Test
  void unpacksManyValuesWithinTheWorkBudget() {
    for (int width : new int[] {1, 7, 16, 24, 31, 32}) {
      checkRandom(Integer.SIZE, width, MANY);
      checkWork("unpack_u32");
    }
    for (int width : new int[] {5, 24, 33, 59, 64}) {
      checkRandom(Long.SIZE, width, MANY);
      checkWork("unpack_u64");
    }
  }

  @Test
  void reportsTheFirstTruncatedValue() {
    byte[] packed = pack(new long[100], 7);
    try (Unpacked result = unpack(Integer.SIZE, packed, 0, packed.length - 1, 100, 7)) {
      assertEquals(new KernelError(99, 0, TRUNCATED), KernelError.decode(result.errorWord));
      assertEquals(UNTOUCHED, result.out.getByte(0), "nothing is written");
    }
  }

  @Test
  void reportsEmptyInput() {
    try (Unpacked result = unpack(Long.SIZE, new byte[0], 0, 0, 3, 64)) {
      assertEquals(new KernelError(0, 0, TRUNCATED), KernelError.decode(result.errorWord));
    }
  }

  @Test
  void refusesWidthsAboveTheOutputs() {
    for (int bits : new int[] {Integer.SIZE, Long.SIZE}) {
      try (Unpacked result = unpack(bits, new byte[1024], 0, 1024, 10, bits + 1)) {
        assertEquals(new KernelError(0, 0, WIDTH), KernelError.decode(result.errorWord));
      }
    }
  }

  private void checkRandom(int bits, int width, int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = width == 0 ? 0 : random.nextLong() >>> (Long.SIZE - width);
    }
    byte[] packed = pack(values, width);
    int offset = random.nextInt(9);
    String message = "bits=" + bits + " width=" + width + " count=" + count + " seed=" + seed();
    try (Unpacked result = unpack(bits, packed, offset, packed.length, count, width)) {
      assertEquals(0, result.errorWord, message);
      for (int i = 0; i < count; i++) {
        if (result.value(i) != values[i]) {
          assertEquals(values[i], result.value(i), message + " offset=" + offset + " row=" + i);
        }
      }
      long end = (long) count * bits / Byte.SIZE;
      for (long at = end; at < result.out.capacityInBytes(); at++) {
        assertEquals(UNTOUCHED, result.out.getByte(at), message + " byte " + at);
      }
    }
  }

  /** Packs without gaps, the least significant bit first. */
  private static byte[] pack(long[] values, int width) {
    byte[] packed = new byte[(int) (((long) values.length * width + Byte.SIZE - 1) / Byte.SIZE)];
    long bit = 0;
    for (long value : values) {
      for (int i = 0; i < width; i++, bit++) {
        packed[(int) (bit / Byte.SIZE)] |= (byte) (((value >>> i) & 1) << (bit % Byte.SIZE));
      }
    }
    return packed;
  }

  /** One result; owns the output. */
  private record Unpacked(MemoryBuffer out, long errorWord, int bits) implements AutoCloseable {
    long value(int row) {
      return bits == Integer.SIZE
          ? Integer.toUnsignedLong(out.getInt((long) row * Integer.BYTES))
          : out.getLong((long) row * Long.BYTES);
    }

    @Override
    public void close() {
      out.close();
    }
  }

  private Unpacked unpack(
      int bits, byte[] packed, int offset, int packedBytes, int count, int width) {
    KernelFunction kernel = backend().kernel("unpack_u" + bits);
    MemoryBuffer out = allocator().allocate(Math.max(1, (long) count * bits / Byte.SIZE));
    for (long at = 0; at < out.capacityInBytes(); at++) {
      out.putByte(at, UNTOUCHED);
    }
    try (MemoryBuffer in = allocator().allocateZeroed((long) offset + Math.max(1, packed.length));
        KernelStatus status = backend().newStatus();
        ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
      in.putBytes(offset, packed, 0, packed.length);
      long from = in.address() + offset;
      if (bits == Integer.SIZE) {
        fillU32(arguments, status, from, packedBytes, out, count, width);
      } else {
        fillU64(arguments, status, from, packedBytes, out, count, width);
      }
      backend().launch(kernel, shape(count), arguments);
      status.await();
      return new Unpacked(out, status.errorWord(), bits);
    }
  }

  private static void fillU32(
      ArgumentBlock arguments,
      KernelStatus status,
      long packed,
      long packedBytes,
      MemoryBuffer out,
      int count,
      int width) {
    arguments.putLong(UnpackU32ArgsLayout.STATUS_OFFSET, status.address());
    arguments.putLong(UnpackU32ArgsLayout.PACKED_OFFSET, packed);
    arguments.putLong(UnpackU32ArgsLayout.PACKED_BYTES_OFFSET, packedBytes);
    arguments.putLong(UnpackU32ArgsLayout.OUT_OFFSET, out.address());
    arguments.putInt(UnpackU32ArgsLayout.COUNT_OFFSET, count);
    arguments.putInt(UnpackU32ArgsLayout.WIDTH_OFFSET, width);
  }

  private static void fillU64(
      ArgumentBlock arguments,
      KernelStatus status,
      long packed,
      long packedBytes,
      MemoryBuffer out,
      int count,
      int width) {
    arguments.putLong(UnpackU64ArgsLayout.STATUS_OFFSET, status.address());
    arguments.putLong(UnpackU64ArgsLayout.PACKED_OFFSET, packed);
    arguments.putLong(UnpackU64ArgsLayout.PACKED_BYTES_OFFSET, packedBytes);
    arguments.putLong(UnpackU64ArgsLayout.OUT_OFFSET, out.address());
    arguments.putInt(UnpackU64ArgsLayout.COUNT_OFFSET, count);
    arguments.putInt(UnpackU64ArgsLayout.WIDTH_OFFSET, width);
  }
}
