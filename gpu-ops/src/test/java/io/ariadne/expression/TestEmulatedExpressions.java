package io.ariadne.expression;

import io.ariadne.kernel.testing.OnEmulator;
import java.util.List;

/** Expressions in the GPU form of the kernels, on the emulator. */
class TestEmulatedExpressions extends AbstractTestExpressions implements OnEmulator {
  @Override
  protected int cases() {
    return 25;
  }

  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 33, 64, 1025, 3000);
  }
}
