package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnEmulator;
import java.util.List;

/** Functions that make strings with the GPU form of the kernels, on the emulator. */
class TestEmulatedProducedStrings extends AbstractTestProducedStrings implements OnEmulator {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 33, 65, 1025);
  }
}
