package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.RealDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/** Suites on a GPU, skipped where there is none. */
public interface OnCuda extends BackendUnderTest {
  @Override
  default Backend openBackend(long seed) {
    return RealDriver.open();
  }

  @Override
  default BufferAllocator kernelAllocator(Backend opened, BufferAllocator delegate) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, delegate);
  }
}
