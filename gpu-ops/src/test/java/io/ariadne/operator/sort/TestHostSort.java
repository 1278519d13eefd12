package io.ariadne.operator.sort;

import io.ariadne.kernel.testing.OnHost;
import org.junit.jupiter.api.Test;

/** The sort on the host. */
class TestHostSort extends AbstractTestSort implements OnHost {
  @Override
  protected int cases() {
    return 10;
  }

  @Override
  protected int maxRows() {
    return 3000;
  }

  @Test
  void sortsWhicheverAllocationIsRefused() {
    checkWithEachRefusal(1);
    checkWithEachRefusal(3);
  }
}
