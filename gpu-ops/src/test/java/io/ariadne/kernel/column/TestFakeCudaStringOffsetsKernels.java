package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaStringOffsetsKernels extends AbstractTestStringOffsetsKernels {
  TestFakeCudaStringOffsetsKernels() {
    super(new FakeCudaTarget());
  }
}
