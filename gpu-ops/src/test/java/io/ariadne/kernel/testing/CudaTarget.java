package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.RealDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/**
 * The GPU of this machine; without one the tests are skipped.
 *
 * <p>Suites get page-locked memory, which both they and the kernels see.
 */
public final class CudaTarget implements KernelTestTarget {
  private Backend backend;

  @Override
  public Backend open(long seed) {
    backend = RealDriver.open();
    return backend;
  }

  @Override
  public BufferAllocator allocator(BufferAllocator delegate) {
    return SourceAllocator.of(backend, MemoryTier.PINNED, delegate);
  }
}
