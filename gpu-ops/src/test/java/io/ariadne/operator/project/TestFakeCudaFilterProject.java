package io.ariadne.operator.project;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/**
 * The contract of operators, kept by filter and projection on the CUDA back end over the fake
 * driver.
 */
class TestFakeCudaFilterProject extends TestFilterProjectConformance {
  @Override
  protected Backend openBackend() {
    return FakeDriver.open(System.nanoTime());
  }

  @Override
  protected BufferAllocator kernelAllocator(Backend opened, BufferAllocator allocator) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, allocator);
  }

  @Override
  protected int cases() {
    return 6;
  }

  @Override
  protected int maxRows() {
    return 300;
  }
}
