package io.ariadne.operator.exchange;

import io.ariadne.kernel.testing.OnHost;

/** Ranges of keys on the host. */
class TestHostRanges extends AbstractTestRanges implements OnHost {
  @Override
  protected int cases() {
    return 100;
  }

  @Override
  protected int maxRows() {
    return 3000;
  }
}
