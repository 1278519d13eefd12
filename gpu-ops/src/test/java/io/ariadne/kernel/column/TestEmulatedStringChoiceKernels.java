package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedStringChoiceKernels extends AbstractTestStringChoiceKernels {
  TestEmulatedStringChoiceKernels() {
    super(new EmulatedTarget());
  }
}
