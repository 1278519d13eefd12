package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnSimulatedDevice;
import java.util.List;

/** Operators over nested columns on a simulated device. */
class TestSimulatedNestedColumns extends AbstractTestNestedColumns implements OnSimulatedDevice {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 200, 1025);
  }
}
