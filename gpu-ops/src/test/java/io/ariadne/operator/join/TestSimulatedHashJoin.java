package io.ariadne.operator.join;

import io.ariadne.kernel.testing.OnSimulatedDevice;

/** Joins on a simulated device. */
class TestSimulatedHashJoin extends AbstractTestHashJoin implements OnSimulatedDevice {
  @Override
  protected int cases() {
    return 40;
  }

  @Override
  protected int maxRows() {
    return 1000;
  }
}
