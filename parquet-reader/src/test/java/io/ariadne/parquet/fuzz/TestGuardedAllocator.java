package io.ariadne.parquet.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.parquet.page.RecyclingAllocator;
import org.junit.jupiter.api.Test;

/** Tests that nothing can be read beyond a buffer, also beyond one that the scan has recycled. */
class TestGuardedAllocator {
  private static final int ATTEMPTS = 100;

  private final GuardedAllocator memory = new GuardedAllocator(1 << 20);

  @Test
  void readsBeyondBuffersFail() {
    try (RecyclingAllocator recycling = new RecyclingAllocator(memory, 1 << 20)) {
      for (int length : new int[] {1, 64, 100, 4096, 5000, 100_000, 64}) {
        try (MemoryBuffer buffer = recycling.allocate(length)) {
          long end = buffer.address() + buffer.capacityInBytes();
          assertEquals(buffer.getByte(length - 1), Memory.getByte(buffer.address() + length - 1));
          assertTrue(isFaulty(end), length + " bytes");
        }
      }
    }
    assertEquals(0, memory.openBufferCount());
  }

  /** The error is raised somewhat after the access, at the latest when methods return. */
  private static boolean isFaulty(long address) {
    try {
      for (int i = 0; i < ATTEMPTS; i++) {
        read(address);
      }
      return false;
    } catch (InternalError e) {
      return true;
    }
  }

  private static void read(long address) {
    Memory.copy(address, new byte[Long.BYTES], 0, Long.BYTES);
  }

  @Test
  void hasALimit() {
    assertThrows(EngineException.class, () -> memory.allocate((1 << 20) + 1));
  }
}
