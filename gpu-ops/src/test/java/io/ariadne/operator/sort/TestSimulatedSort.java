package io.ariadne.operator.sort;

import io.ariadne.kernel.testing.OnSimulatedDevice;

/** The sort on a simulated device. */
class TestSimulatedSort extends AbstractTestSort implements OnSimulatedDevice {
  @Override
  protected int cases() {
    return 8;
  }

  @Override
  protected int maxRows() {
    return 2000;
  }
}
