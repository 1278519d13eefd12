package io.ariadne.kernel.parquet;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;

/** What the suites of page decoders share beyond {@link AbstractTestKernels}. */
abstract class ParquetSuite extends AbstractTestKernels {
  static final int[] COUNTS = {0, 1, 31, 32, 33, 1023, 1025, MANY};

  private static final byte UNTOUCHED = 0x5a;

  ParquetSuite(KernelTestTarget target) {
    super(target);
  }

  /** Returns memory filled with a pattern. */
  final MemoryBuffer patterned(long bytes) {
    MemoryBuffer buffer = allocator().allocate(bytes);
    for (long at = 0; at < buffer.capacityInBytes(); at++) {
      buffer.putByte(at, UNTOUCHED);
    }
    return buffer;
  }

  /** Fails when memory from {@link #patterned} was written from a byte on. */
  final void checkUntouched(MemoryBuffer buffer, long from) {
    for (long at = from; at < buffer.capacityInBytes(); at++) {
      if (buffer.getByte(at) != UNTOUCHED) {
        throw new AssertionError("byte " + at + " was written, seed " + seed());
      }
    }
  }
}
