package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** Nested columns, which stay on the host, on the CUDA back end over the fake driver. */
@Timeout(60)
class TestFakeCudaNestedColumns extends AbstractTestNestedColumns {
  @Override
  protected Backend openBackend(long seed) {
    return FakeDriver.open(seed);
  }

  @Override
  protected BufferAllocator kernelAllocator(Backend opened, BufferAllocator delegate) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, delegate);
  }

  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 200);
  }
}
