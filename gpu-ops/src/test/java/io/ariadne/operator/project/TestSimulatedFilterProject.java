package io.ariadne.operator.project;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/** The contract of operators, kept by filter and projection on a simulated device. */
class TestSimulatedFilterProject extends TestFilterProjectConformance {
  @Override
  protected Backend openBackend() {
    return SimulatedBackend.open(SimulatedDevice.of(1L << 30));
  }

  @Override
  protected BufferAllocator kernelAllocator(Backend opened, BufferAllocator allocator) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, allocator);
  }
}
