package io.ariadne.operator.aggregate;

import io.ariadne.kernel.testing.OnHost;

/** The hash aggregation on the host. */
class TestHostHashAggregate extends AbstractTestHashAggregate implements OnHost {
  @Override
  protected int cases() {
    return 50;
  }

  @Override
  protected int maxRows() {
    return 5000;
  }
}
