package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.kernel.testing.KernelTarget;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the suites of Parquet kernels share: target, memory, randomness. */
abstract class ParquetSuite {
  static final int[] COUNTS = {0, 1, 31, 32, 33, 1023, 1025, 70_000};
  static final int MANY = 70_000;
  private static final byte UNTOUCHED = 0x5a;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  final KernelTarget target;
  final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  final Random random = new Random(seed);
  Backend backend;
  BufferAllocator allocator;

  ParquetSuite(KernelTarget target) {
    this.target = target;
  }

  @BeforeEach
  void open() {
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    backend = target.open(seed);
    allocator = target.allocator(memory.allocator());
  }

  @AfterEach
  void close() {
    if (backend != null) { // the target may have skipped the test
      backend.close();
    }
  }

  /** Returns memory filled with a pattern. */
  MemoryBuffer patterned(long bytes) {
    MemoryBuffer buffer = allocator.allocate(bytes);
    for (long at = 0; at < buffer.capacityInBytes(); at++) {
      buffer.putByte(at, UNTOUCHED);
    }
    return buffer;
  }

  /** Fails when memory from {@link #patterned} was written from a byte on. */
  void checkUntouched(MemoryBuffer buffer, long from) {
    for (long at = from; at < buffer.capacityInBytes(); at++) {
      if (buffer.getByte(at) != UNTOUCHED) {
        throw new AssertionError("byte " + at + " was written, seed " + seed);
      }
    }
  }

  static boolean bit(MemoryBuffer bits, long at) {
    return (bits.getByte(at / Byte.SIZE) >>> (at % Byte.SIZE) & 1) != 0;
  }
}
