package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaTileAggregates extends AbstractTestTileAggregates {
  TestFakeCudaTileAggregates() {
    super(new FakeCudaTarget());
  }
}
