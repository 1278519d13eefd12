package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;
import java.util.List;

/** Nested columns with the GPU form of the kernels, on the emulator. */
class TestEmulatedNestedColumns extends AbstractTestNestedColumns {
  @Override
  protected Backend openBackend(long seed) {
    return EmulatedBackend.open(seed);
  }

  @Override
  protected BufferAllocator allocator(BufferAllocator delegate) {
    return EmulatedBackend.allocator(delegate);
  }

  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 65, 300);
  }
}
