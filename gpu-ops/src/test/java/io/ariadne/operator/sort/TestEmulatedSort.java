package io.ariadne.operator.sort;

import io.ariadne.kernel.testing.OnEmulator;

/** The sort in the GPU form of the kernels, on the emulator. */
class TestEmulatedSort extends AbstractTestSort implements OnEmulator {
  @Override
  protected int cases() {
    return 5;
  }

  @Override
  protected int maxRows() {
    return 1500;
  }
}
