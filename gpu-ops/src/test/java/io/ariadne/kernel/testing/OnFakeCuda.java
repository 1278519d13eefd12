package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/** Suites on the CUDA back end over the fake driver. */
public interface OnFakeCuda extends BackendUnderTest {
  @Override
  default Backend openBackend(long seed) {
    return FakeDriver.open(seed);
  }

  @Override
  default BufferAllocator kernelAllocator(Backend opened, BufferAllocator delegate) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, delegate);
  }
}
