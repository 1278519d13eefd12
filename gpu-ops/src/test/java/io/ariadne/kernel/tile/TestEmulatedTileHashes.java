package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedTileHashes extends AbstractTestTileHashes {
  TestEmulatedTileHashes() {
    super(new EmulatedTarget());
  }
}
