package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaTileOperations extends AbstractTestTileOperations {
  TestFakeCudaTileOperations() {
    super(new FakeCudaTarget());
  }
}
