package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedStringOffsetsKernels extends AbstractTestStringOffsetsKernels {
  TestEmulatedStringOffsetsKernels() {
    super(new EmulatedTarget());
  }
}
