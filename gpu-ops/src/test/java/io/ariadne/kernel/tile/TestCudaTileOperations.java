package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaTileOperations extends AbstractTestTileOperations {
  TestCudaTileOperations() {
    super(new CudaTarget());
  }
}
