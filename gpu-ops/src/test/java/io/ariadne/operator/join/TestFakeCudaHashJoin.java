package io.ariadne.operator.join;

import io.ariadne.kernel.testing.OnFakeCuda;
import org.junit.jupiter.api.Timeout;

/** Joins on the CUDA back end over the fake driver. */
@Timeout(60)
class TestFakeCudaHashJoin extends AbstractTestHashJoin implements OnFakeCuda {
  @Override
  protected int cases() {
    return 6;
  }

  @Override
  protected int maxRows() {
    return 300;
  }
}
