package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaDenseGroupsKernels extends AbstractTestDenseGroupsKernels {
  TestFakeCudaDenseGroupsKernels() {
    super(new FakeCudaTarget());
  }
}
