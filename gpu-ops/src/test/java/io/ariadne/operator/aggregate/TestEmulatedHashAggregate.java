package io.ariadne.operator.aggregate;

import io.ariadne.kernel.testing.OnEmulator;

/** The hash aggregation in the GPU form of the kernels, on the emulator. */
class TestEmulatedHashAggregate extends AbstractTestHashAggregate implements OnEmulator {
  @Override
  protected int cases() {
    return 6;
  }

  @Override
  protected int maxRows() {
    return 2500;
  }
}
