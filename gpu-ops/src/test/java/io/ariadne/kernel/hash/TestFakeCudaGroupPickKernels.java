package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaGroupPickKernels extends AbstractTestGroupPickKernels {
  TestFakeCudaGroupPickKernels() {
    super(new FakeCudaTarget());
  }
}
