package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaStringChoiceKernels extends AbstractTestStringChoiceKernels {
  TestFakeCudaStringChoiceKernels() {
    super(new FakeCudaTarget());
  }
}
