package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnSimulatedDevice;
import java.util.List;

/** Functions that make strings on a simulated device. */
class TestSimulatedProducedStrings extends AbstractTestProducedStrings
    implements OnSimulatedDevice {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 200, 1025);
  }
}
