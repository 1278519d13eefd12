package io.ariadne.operator.join;

import io.ariadne.kernel.testing.OnHost;

/** Joins on the host. */
class TestHostHashJoin extends AbstractTestHashJoin implements OnHost {
  @Override
  protected int cases() {
    return 150;
  }

  @Override
  protected int maxRows() {
    return 1000;
  }
}
