package io.ariadne.kernel.unpack;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaUnpackKernels extends AbstractTestUnpackKernels {
  TestFakeCudaUnpackKernels() {
    super(new FakeCudaTarget());
  }
}
