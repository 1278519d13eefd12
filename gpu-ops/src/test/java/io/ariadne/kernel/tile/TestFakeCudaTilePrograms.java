package io.ariadne.kernel.tile;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaTilePrograms extends AbstractTestTilePrograms {
  TestFakeCudaTilePrograms() {
    super(new FakeCudaTarget());
  }
}
