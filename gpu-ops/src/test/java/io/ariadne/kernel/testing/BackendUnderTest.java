package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;

/**
 * A back end as suites of operators and expressions use it. A suite implements this, its subclasses
 * one of the interfaces named On...
 */
public interface BackendUnderTest {
  /**
   * Opens the back end.
   *
   * @param seed for the order of threads, where the back end has one
   */
  Backend openBackend(long seed);

  /** Returns host memory; the back end's kernels may touch it if they see host memory. */
  default BufferAllocator allocator(BufferAllocator delegate) {
    return delegate;
  }

  /** Returns memory that kernels of the back end see; where it is not host memory, some. */
  default BufferAllocator kernelAllocator(Backend opened, BufferAllocator delegate) {
    return delegate;
  }
}
