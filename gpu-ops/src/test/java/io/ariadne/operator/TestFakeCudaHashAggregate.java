package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import org.junit.jupiter.api.Timeout;

/** The hash aggregation on the CUDA back end over the fake driver. */
@Timeout(60)
class TestFakeCudaHashAggregate extends AbstractTestHashAggregate {
  @Override
  protected Backend openBackend(long seed) {
    return FakeDriver.open(seed);
  }

  @Override
  protected BufferAllocator kernelAllocator(Backend opened, BufferAllocator delegate) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, delegate);
  }

  @Override
  protected int cases() {
    return 4;
  }

  @Override
  protected int maxRows() {
    return 600;
  }
}
