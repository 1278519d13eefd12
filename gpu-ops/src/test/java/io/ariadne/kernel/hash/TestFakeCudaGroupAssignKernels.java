package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaGroupAssignKernels extends AbstractTestGroupAssignKernels {
  TestFakeCudaGroupAssignKernels() {
    super(new FakeCudaTarget());
  }
}
