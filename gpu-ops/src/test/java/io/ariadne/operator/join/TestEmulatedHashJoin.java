package io.ariadne.operator.join;

import io.ariadne.kernel.testing.OnEmulator;

/** Joins by the emulator. */
class TestEmulatedHashJoin extends AbstractTestHashJoin implements OnEmulator {
  @Override
  protected int cases() {
    return 12;
  }

  @Override
  protected int maxRows() {
    return 200;
  }
}
