package io.ariadne.operator.exchange;

import io.ariadne.kernel.testing.OnFakeCuda;

/** Ranges of keys on the CUDA back end over the fake driver. */
class TestFakeCudaRanges extends AbstractTestRanges implements OnFakeCuda {
  @Override
  protected int cases() {
    return 3;
  }

  @Override
  protected int maxRows() {
    return 500;
  }
}
