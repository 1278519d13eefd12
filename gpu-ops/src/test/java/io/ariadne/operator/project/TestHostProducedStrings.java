package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnHost;
import java.util.List;

/** Functions that make strings on the host. */
class TestHostProducedStrings extends AbstractTestProducedStrings implements OnHost {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 63, 64, 65, 3000);
  }
}
