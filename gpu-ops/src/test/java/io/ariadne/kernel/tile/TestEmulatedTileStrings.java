package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedTileStrings extends AbstractTestTileStrings {
  TestEmulatedTileStrings() {
    super(new EmulatedTarget());
  }
}
