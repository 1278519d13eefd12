package io.ariadne.expression;

import io.ariadne.kernel.testing.OnCuda;
import java.util.List;

/** Expressions on a GPU. */
class TestCudaExpressions extends AbstractTestExpressions implements OnCuda {
  @Override
  protected int cases() {
    return 100;
  }

  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 33, 64, 1025, 3000);
  }
}
