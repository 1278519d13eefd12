package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaTilePrograms extends AbstractTestTilePrograms {
  TestFakeCudaTilePrograms() {
    super(new FakeCudaTarget());
  }
}
