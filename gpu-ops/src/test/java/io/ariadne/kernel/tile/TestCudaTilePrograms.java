package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaTilePrograms extends AbstractTestTilePrograms {
  TestCudaTilePrograms() {
    super(new CudaTarget());
  }
}
