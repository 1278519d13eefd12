package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.HostTarget;

class TestHostStringOffsetsKernels extends AbstractTestStringOffsetsKernels {
  TestHostStringOffsetsKernels() {
    super(new HostTarget());
  }
}
