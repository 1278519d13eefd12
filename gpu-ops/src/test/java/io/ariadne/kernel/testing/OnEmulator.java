package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;

/** Suites over the GPU form of the kernels, on the emulator. */
public interface OnEmulator extends BackendUnderTest {
  @Override
  default Backend openBackend(long seed) {
    return EmulatedBackend.open(seed);
  }

  @Override
  default BufferAllocator allocator(BufferAllocator delegate) {
    return EmulatedBackend.allocator(delegate);
  }
}
