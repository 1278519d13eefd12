package io.ariadne.expression;

import io.ariadne.kernel.testing.OnHost;
import java.util.List;

/** Expressions on the host. */
class TestHostExpressions extends AbstractTestExpressions implements OnHost {
  @Override
  protected int cases() {
    return 250;
  }

  @Override
  protected List<Integer> rowCounts() {
    return List.of(1, 31, 32, 33, 64, 65, 100, 1023, 2047, 2049, 5000);
  }
}
