package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/** Suites on a simulated device: host kernels over memory that host code may not touch. */
public interface OnSimulatedDevice extends BackendUnderTest {
  @Override
  default Backend openBackend(long seed) {
    return SimulatedBackend.open(SimulatedDevice.of(1L << 30));
  }

  @Override
  default BufferAllocator kernelAllocator(Backend opened, BufferAllocator delegate) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, delegate);
  }
}
