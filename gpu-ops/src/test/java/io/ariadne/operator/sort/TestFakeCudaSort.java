package io.ariadne.operator.sort;

import io.ariadne.kernel.testing.OnFakeCuda;

/** The sort on the CUDA back end over the fake driver. */
class TestFakeCudaSort extends AbstractTestSort implements OnFakeCuda {
  @Override
  protected int cases() {
    return 3;
  }

  @Override
  protected int maxRows() {
    return 500;
  }
}
