package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.BufferAllocator;

/** The host library. */
public final class HostTarget implements KernelTestTarget {
  @Override
  public Backend open(long seed) {
    return HostBackend.open();
  }

  @Override
  public BufferAllocator allocator(BufferAllocator delegate) {
    return delegate;
  }
}
