package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaGatherKernels extends AbstractTestGatherKernels {
  TestFakeCudaGatherKernels() {
    super(new FakeCudaTarget());
  }
}
