package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;

/** The GPU form of the kernels under the emulator, which checks every access. */
public final class EmulatedTarget implements KernelTarget {
  @Override
  public Backend open(long seed) {
    return EmulatedBackend.open(seed);
  }

  @Override
  public BufferAllocator allocator(BufferAllocator delegate) {
    return EmulatedBackend.allocator(delegate);
  }

  @Override
  public void checkWork(Backend backend, String name) {
    WorkBudgets.check(name, ((EmulatedBackend) backend).lastReport());
  }
}
