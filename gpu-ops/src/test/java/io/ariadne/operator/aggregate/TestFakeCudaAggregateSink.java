package io.ariadne.operator.aggregate;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.AbstractTestSinkOperator;
import io.ariadne.operator.SinkOperatorFactory;

/**
 * The contract of sinks, kept by the hash aggregation on the CUDA back end over the fake driver.
 */
class TestFakeCudaAggregateSink extends AbstractTestSinkOperator {
  @Override
  protected Schema inputSchema() {
    return TestHashAggregateConformance.INPUT;
  }

  @Override
  protected SinkOperatorFactory factory() {
    return TestHashAggregateConformance.manyGroups();
  }

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
