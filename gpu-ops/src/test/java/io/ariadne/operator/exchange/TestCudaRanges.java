package io.ariadne.operator.exchange;

import io.ariadne.kernel.testing.OnCuda;

/** Ranges of keys on a GPU. */
class TestCudaRanges extends AbstractTestRanges implements OnCuda {
  @Override
  protected int cases() {
    return 40;
  }

  @Override
  protected int maxRows() {
    return 20000;
  }
}
