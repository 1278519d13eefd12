package io.ariadne.operator.join;

import io.ariadne.kernel.testing.OnCuda;

/** Joins on a GPU. */
class TestCudaHashJoin extends AbstractTestHashJoin implements OnCuda {
  @Override
  protected int cases() {
    return 300;
  }

  @Override
  protected int maxRows() {
    return 3000;
  }
}
