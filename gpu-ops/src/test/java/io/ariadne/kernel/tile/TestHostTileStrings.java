package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.HostTarget;

class TestHostTileStrings extends AbstractTestTileStrings {
  TestHostTileStrings() {
    super(new HostTarget());
  }
}
