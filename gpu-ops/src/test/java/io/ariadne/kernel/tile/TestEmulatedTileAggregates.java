package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedTileAggregates extends AbstractTestTileAggregates {
  TestEmulatedTileAggregates() {
    super(new EmulatedTarget());
  }
}
