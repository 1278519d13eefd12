package io.ariadne.operator.sort;

import io.ariadne.kernel.testing.OnFakeCuda;
import org.junit.jupiter.api.Timeout;

/** The sort on the CUDA back end over the fake driver. */
@Timeout(60)
class TestFakeCudaSort extends AbstractTestSort implements OnFakeCuda {
  @Override
  protected int cases() {
    return 3;
  }

  @Override
  protected int maxRows() {
    return 500;
  }
}
