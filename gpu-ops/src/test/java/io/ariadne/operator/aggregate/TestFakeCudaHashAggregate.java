package io.ariadne.operator.aggregate;

import io.ariadne.kernel.testing.OnFakeCuda;

/** The hash aggregation on the CUDA back end over the fake driver. */
class TestFakeCudaHashAggregate extends AbstractTestHashAggregate implements OnFakeCuda {
  @Override
  protected int cases() {
    return 4;
  }

  @Override
  protected int maxRows() {
    return 600;
  }
}
