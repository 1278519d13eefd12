package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.HostTarget;

class TestHostTileOperations extends AbstractTestTileOperations {
  TestHostTileOperations() {
    super(new HostTarget());
  }
}
