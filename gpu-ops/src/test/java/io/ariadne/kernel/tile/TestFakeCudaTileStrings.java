package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaTileStrings extends AbstractTestTileStrings {
  TestFakeCudaTileStrings() {
    super(new FakeCudaTarget());
  }
}
