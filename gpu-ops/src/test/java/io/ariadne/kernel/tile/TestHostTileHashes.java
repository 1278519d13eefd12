package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.HostTarget;

class TestHostTileHashes extends AbstractTestTileHashes {
  TestHostTileHashes() {
    super(new HostTarget());
  }
}
