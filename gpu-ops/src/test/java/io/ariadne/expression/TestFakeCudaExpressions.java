package io.ariadne.expression;

import io.ariadne.kernel.testing.OnFakeCuda;
import java.util.List;

/** Expressions on the CUDA back end over the fake driver. */
class TestFakeCudaExpressions extends AbstractTestExpressions implements OnFakeCuda {
  @Override
  protected int cases() {
    return 20;
  }

  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 33, 64, 1025, 3000);
  }
}
