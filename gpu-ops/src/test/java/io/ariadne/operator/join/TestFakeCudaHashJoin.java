package io.ariadne.operator.join;

import io.ariadne.kernel.testing.OnFakeCuda;

/** Joins on the CUDA back end over the fake driver. */
class TestFakeCudaHashJoin extends AbstractTestHashJoin implements OnFakeCuda {
  @Override
  protected int cases() {
    return 6;
  }

  @Override
  protected int maxRows() {
    return 60; // the strict driver checks every launch, whose threads run one after the other
  }
}
