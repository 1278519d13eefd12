package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaSelectRowsKernels extends AbstractTestSelectRowsKernels {
  TestFakeCudaSelectRowsKernels() {
    super(new FakeCudaTarget());
  }
}
