package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedTileOperations extends AbstractTestTileOperations {
  TestEmulatedTileOperations() {
    super(new EmulatedTarget());
  }
}
