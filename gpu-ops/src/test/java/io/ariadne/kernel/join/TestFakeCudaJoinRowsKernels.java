package io.ariadne.kernel.join;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaJoinRowsKernels extends AbstractTestJoinRowsKernels {
  TestFakeCudaJoinRowsKernels() {
    super(new FakeCudaTarget());
  }
}
