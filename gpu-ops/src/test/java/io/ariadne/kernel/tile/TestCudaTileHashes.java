package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaTileHashes extends AbstractTestTileHashes {
  TestCudaTileHashes() {
    super(new CudaTarget());
  }
}
