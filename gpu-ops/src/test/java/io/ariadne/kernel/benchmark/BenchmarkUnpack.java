package io.ariadne.kernel.benchmark;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.kernel.abi.UnpackU32ArgsLayout;
import java.util.List;

/**
 * Bit-unpacking on the host: nanoseconds per value by output and width.
 *
 * <p>Axes: output bits (32, 64), width, values per call (in cache: 16384; out of cache: 16777216).
 */
public final class BenchmarkUnpack {
  private static final List<Integer> WIDTHS = List.of(1, 2, 5, 8, 12, 16, 20, 27, 32, 40, 59, 64);
  private static final int IN_CACHE = 1 << 14;
  private static final int OUT_OF_CACHE = 1 << 24;

  private BenchmarkUnpack() {}

  /** Prints one tab-separated line per point. */
  public static void main(String[] arguments) {
    Backend backend = HostBackend.open();
    System.out.println("isa\tout_bits\twidth\tvalues\tns_per_value");
    for (int bits : new int[] {Integer.SIZE, Long.SIZE}) {
      for (int width : WIDTHS) {
        for (int count : new int[] {IN_CACHE, OUT_OF_CACHE}) {
          if (width <= bits) {
            double nanos = measure(backend, bits, width, count);
            System.out.printf("%s\t%d\t%d\t%d\t%.3f%n", backend.isa(), bits, width, count, nanos);
          }
        }
      }
    }
  }

  /** Both kernels take the same argument struct under two names. */
  private static double measure(Backend backend, int bits, int width, int count) {
    TestingAllocator allocator = new TestingAllocator();
    KernelFunction kernel = backend.kernel("unpack_u" + bits);
    long packedBytes = (long) count * width / Byte.SIZE + MemoryBuffer.ALIGNMENT;
    try (MemoryBuffer packed = allocator.allocateZeroed(packedBytes);
        MemoryBuffer out = allocator.allocateZeroed((long) count * bits / Byte.SIZE);
        KernelStatus status = backend.newStatus();
        ArgumentBlock block = new ArgumentBlock(kernel.argumentBytes())) {
      block.putLong(UnpackU32ArgsLayout.STATUS_OFFSET, status.address());
      block.putLong(UnpackU32ArgsLayout.PACKED_OFFSET, packed.address());
      block.putLong(UnpackU32ArgsLayout.PACKED_BYTES_OFFSET, packedBytes);
      block.putLong(UnpackU32ArgsLayout.OUT_OFFSET, out.address());
      block.putInt(UnpackU32ArgsLayout.COUNT_OFFSET, count);
      block.putInt(UnpackU32ArgsLayout.WIDTH_OFFSET, width);
      LaunchShape shape = LaunchShape.ofRows(count);
      double nanos = KernelTimer.nanosPerItem(count, () -> backend.launch(kernel, shape, block));
      if (status.errorWord() != 0) {
        throw new IllegalStateException("the kernel failed: " + status.errorWord());
      }
      return nanos;
    }
  }
}
