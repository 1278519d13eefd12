package io.ariadne.expression;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.RealDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import java.util.List;

/** Expressions on a GPU. */
class TestCudaExpressions extends AbstractTestExpressions {
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
    return 100;
  }

  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 33, 64, 1025, 3000);
  }
}
