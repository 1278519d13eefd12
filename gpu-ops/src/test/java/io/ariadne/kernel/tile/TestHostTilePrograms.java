package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.HostTarget;

class TestHostTilePrograms extends AbstractTestTilePrograms {
  TestHostTilePrograms() {
    super(new HostTarget());
  }
}
