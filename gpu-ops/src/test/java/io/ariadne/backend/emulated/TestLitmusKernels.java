package io.ariadne.backend.emulated;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.kernel.abi.LitmusLookBackArgsLayout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The memory-order litmus kernels under the emulator: free of races, and each check of theirs is
 * made. Whether the hardware keeps the order they ask for, only hardware can tell.
 */
class TestLitmusKernels {
  private static final int[] ROWS = {0, 1, 31, 32, 33, 1023, 1025, 70_000};
  private static final int HEADER_BYTES = 4096;
  private static final int BYTES_PER_ROW = 64;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @ParameterizedTest
  @CsvSource({"litmus_message_passing", "litmus_look_back", "litmus_insert_then_probe"})
  void makesEveryCheckAndFindsNoViolation(String name) {
    long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    EmulatedBackend backend = EmulatedBackend.open(seed);
    BufferAllocator allocator = EmulatedBackend.allocator(memory.allocator());
    KernelFunction kernel = backend.kernel(name);
    for (int rows : ROWS) {
      try (MemoryBuffer scratch =
              allocator.allocateZeroed(HEADER_BYTES + (long) BYTES_PER_ROW * rows);
          KernelStatus status = backend.newStatus();
          ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
        arguments.putLong(LitmusLookBackArgsLayout.STATUS_OFFSET, status.address());
        arguments.putLong(LitmusLookBackArgsLayout.MEMORY_OFFSET, scratch.address());
        arguments.putInt(LitmusLookBackArgsLayout.ROWS_OFFSET, rows);
        backend.launch(kernel, LaunchShape.ofRows(rows), arguments);
        assertEquals(0, status.detail(0), name + " violations, rows " + rows);
        assertEquals(rows, status.detail(1), name + " checks, rows " + rows);
      }
    }
    backend.close();
  }
}
