package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaTileHashes extends AbstractTestTileHashes {
  TestFakeCudaTileHashes() {
    super(new FakeCudaTarget());
  }
}
