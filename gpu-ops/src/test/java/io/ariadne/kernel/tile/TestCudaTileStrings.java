package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaTileStrings extends AbstractTestTileStrings {
  TestCudaTileStrings() {
    super(new CudaTarget());
  }
}
