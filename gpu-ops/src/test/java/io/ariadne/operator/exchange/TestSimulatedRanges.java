package io.ariadne.operator.exchange;

import io.ariadne.kernel.testing.OnSimulatedDevice;

/** Ranges of keys on a simulated device. */
class TestSimulatedRanges extends AbstractTestRanges implements OnSimulatedDevice {
  @Override
  protected int cases() {
    return 20;
  }

  @Override
  protected int maxRows() {
    return 2000;
  }
}
