package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedTilePrograms extends AbstractTestTilePrograms {
  TestEmulatedTilePrograms() {
    super(new EmulatedTarget());
  }
}
