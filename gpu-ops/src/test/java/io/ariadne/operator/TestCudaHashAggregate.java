package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.RealDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/** The hash aggregation on a GPU. */
class TestCudaHashAggregate extends AbstractTestHashAggregate {
  @Override
  protected Backend openBackend(long seed) {
    return RealDriver.open();
  }

  @Override
  protected BufferAllocator kernelAllocator(Backend opened, BufferAllocator delegate) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, delegate);
  }

  @Override
  protected int cases() {
    return 60;
  }

  @Override
  protected int maxRows() {
    return 40000;
  }
}
