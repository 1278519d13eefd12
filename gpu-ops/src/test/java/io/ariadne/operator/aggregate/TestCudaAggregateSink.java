package io.ariadne.operator.aggregate;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.RealDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.AbstractTestSinkOperator;
import io.ariadne.operator.SinkOperatorFactory;

/** The contract of sinks, kept by the hash aggregation on a GPU. */
class TestCudaAggregateSink extends AbstractTestSinkOperator {
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
    return RealDriver.open();
  }

  @Override
  protected BufferAllocator kernelAllocator(Backend opened, BufferAllocator allocator) {
    return SourceAllocator.of(opened, MemoryTier.DEVICE, allocator);
  }
}
