package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaGroupAssignKernels extends AbstractTestGroupAssignKernels {
  TestFakeCudaGroupAssignKernels() {
    super(new FakeCudaTarget());
  }
}
