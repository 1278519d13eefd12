package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaGroupCodesKernels extends AbstractTestGroupCodesKernels {
  TestFakeCudaGroupCodesKernels() {
    super(new FakeCudaTarget());
  }
}
