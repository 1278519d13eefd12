package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnFakeCuda;
import java.util.List;

/** Nested columns, which stay on the host, on the CUDA back end over the fake driver. */
class TestFakeCudaNestedColumns extends AbstractTestNestedColumns implements OnFakeCuda {
  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 200);
  }
}
