package io.ariadne.operator.aggregate;

import io.ariadne.kernel.testing.OnCuda;

/** The hash aggregation on a GPU. */
class TestCudaHashAggregate extends AbstractTestHashAggregate implements OnCuda {
  @Override
  protected int cases() {
    return 60;
  }

  @Override
  protected int maxRows() {
    return 40000;
  }
}
