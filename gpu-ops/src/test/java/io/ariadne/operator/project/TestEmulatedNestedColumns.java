package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnEmulator;
import java.util.List;

/** Nested columns with the GPU form of the kernels, on the emulator. */
class TestEmulatedNestedColumns extends AbstractTestNestedColumns implements OnEmulator {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 65, 300);
  }
}
