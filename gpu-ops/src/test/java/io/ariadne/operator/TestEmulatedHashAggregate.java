package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;

/** The hash aggregation in the GPU form of the kernels, on the emulator. */
class TestEmulatedHashAggregate extends AbstractTestHashAggregate {
  @Override
  protected Backend openBackend(long seed) {
    return EmulatedBackend.open(seed);
  }

  @Override
  protected BufferAllocator allocator(BufferAllocator delegate) {
    return EmulatedBackend.allocator(delegate);
  }

  @Override
  protected int cases() {
    return 6;
  }

  @Override
  protected int maxRows() {
    return 2500;
  }
}
