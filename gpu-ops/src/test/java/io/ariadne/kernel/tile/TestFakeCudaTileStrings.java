package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaTileStrings extends AbstractTestTileStrings {
  TestFakeCudaTileStrings() {
    super(new FakeCudaTarget());
  }
}
