package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/**
 * The CUDA back end over the fake driver, which runs the emulated kernels.
 *
 * <p>Suites get page-locked memory, which both they and the kernels see.
 */
public final class FakeCudaTarget implements KernelTestTarget {
  private Backend backend;

  @Override
  public Backend open(long seed) {
    backend = FakeDriver.open(seed);
    return backend;
  }

  @Override
  public BufferAllocator allocator(BufferAllocator delegate) {
    return SourceAllocator.of(backend, MemoryTier.PINNED, delegate);
  }
}
