package io.ariadne.operator.project;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.RealDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/** The contract of operators, kept by filter and projection on a GPU. */
class TestCudaFilterProject extends TestFilterProjectConformance {
  @Override
  protected Backend openBackend() {
    return RealDriver.open();
  }

  @Override
  protected BufferAllocator kernelAllocator(Backend opened, BufferAllocator allocator) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, allocator);
  }
}
