package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnCuda;
import java.util.List;

/** Functions that make strings on a GPU. */
class TestCudaProducedStrings extends AbstractTestProducedStrings implements OnCuda {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 65, 70000);
  }
}
