package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnFakeCuda;
import java.util.List;

/** Functions that make strings on the CUDA back end over the fake driver. */
class TestFakeCudaProducedStrings extends AbstractTestProducedStrings implements OnFakeCuda {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 65, 1025);
  }
}
