package io.ariadne.expression;

import io.ariadne.backend.Backend;
import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;
import java.util.List;

/** Expressions in the GPU form of the kernels, on the emulator. */
class TestEmulatedExpressions extends AbstractTestExpressions {
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
    return 25;
  }

  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 33, 64, 1025, 3000);
  }
}
