package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaGroupMergeKernels extends AbstractTestGroupMergeKernels {
  TestFakeCudaGroupMergeKernels() {
    super(new FakeCudaTarget());
  }
}
