package io.ariadne.kernel.join;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaJoinRowsKernels extends AbstractTestJoinRowsKernels {
  TestFakeCudaJoinRowsKernels() {
    super(new FakeCudaTarget());
  }
}
