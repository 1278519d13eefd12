package io.ariadne.operator.sort;

import io.ariadne.kernel.testing.OnCuda;

/** The sort on a GPU. */
class TestCudaSort extends AbstractTestSort implements OnCuda {
  @Override
  protected int cases() {
    return 40;
  }

  @Override
  protected int maxRows() {
    return 20000;
  }
}
