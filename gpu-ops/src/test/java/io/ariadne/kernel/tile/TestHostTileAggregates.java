package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.HostTarget;

class TestHostTileAggregates extends AbstractTestTileAggregates {
  TestHostTileAggregates() {
    super(new HostTarget());
  }
}
