package io.ariadne.kernel.testing;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;
import java.util.function.Function;

/** The GPU form of the kernels under the emulator, which checks every access. */
public final class EmulatedTarget implements KernelTestTarget {
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

  @Override
  public void checkWork(Backend backend, String name, long bytes) {
    WorkBudgets.check(name, ((EmulatedBackend) backend).lastReport(), bytes);
  }

  @Override
  public void checkEachLaunch(Backend backend, Function<ArgumentBlock, String> nameOf) {
    ((EmulatedBackend) backend)
        .onLaunch(
            (arguments, report) -> {
              String name = nameOf.apply(arguments);
              if (name != null) {
                WorkBudgets.check(name, report);
              }
            });
  }
}
