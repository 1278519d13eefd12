package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaTileAggregates extends AbstractTestTileAggregates {
  TestCudaTileAggregates() {
    super(new CudaTarget());
  }
}
