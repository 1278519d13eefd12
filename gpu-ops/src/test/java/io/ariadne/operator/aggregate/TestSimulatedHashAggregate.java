package io.ariadne.operator.aggregate;

import io.ariadne.kernel.testing.OnSimulatedDevice;

/** The hash aggregation on a simulated device. */
class TestSimulatedHashAggregate extends AbstractTestHashAggregate implements OnSimulatedDevice {
  @Override
  protected int cases() {
    return 40;
  }

  @Override
  protected int maxRows() {
    return 3000;
  }
}
