package io.ariadne.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.BatchSize;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.testing.TestingAllocator;
import org.junit.jupiter.api.Test;

/** How many rows output batches have. */
class TestOperatorContext {
  private final TestingAllocator memory = new TestingAllocator();

  @Test
  void outputBatchesOfTheHostHaveItsSize() {
    try (HostBackend host = HostBackend.open()) {
      OperatorContext context = new OperatorContext(memory, host, () -> false);
      assertEquals(BatchSize.HOST.outputRows(), context.outputRows());
      OperatorContext small = new LimitedSpillSpace(1 << 20).context(context, 64);
      assertEquals(BatchSize.HOST.outputRows(), small.outputRows());
    }
  }

  @Test
  void outputBatchesOfADeviceFitItsMemory() {
    try (SimulatedBackend device = SimulatedBackend.open(SimulatedDevice.of(1 << 20))) {
      OperatorContext context =
          new OperatorContext(memory, memory, device, () -> false, ErrorReplay.PLAIN);
      assertEquals(BatchSize.DEVICE.outputRows(), context.outputRows());
      assertEquals(BatchSize.HOST.outputRows(), rows(context, 4 << 20, 1));
      // an eighth of the memory for two threads, 64 bytes per row
      assertEquals(1 << 16, rows(context, 64 << 20, 2));
      assertEquals(BatchSize.DEVICE.outputRows(), rows(context, 64L << 30, 16));
    }
  }

  private static int rows(OperatorContext context, long bytes, int threads) {
    return new LimitedSpillSpace(bytes).context(context, threads).outputRows();
  }
}
