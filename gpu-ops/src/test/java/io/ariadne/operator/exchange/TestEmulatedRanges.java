package io.ariadne.operator.exchange;

import io.ariadne.kernel.testing.OnEmulator;

/** Ranges of keys in the GPU form of the kernels, on the emulator. */
class TestEmulatedRanges extends AbstractTestRanges implements OnEmulator {
  @Override
  protected int cases() {
    return 5;
  }

  @Override
  protected int maxRows() {
    return 1000;
  }
}
