package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedGroupCodesKernels extends AbstractTestGroupCodesKernels {
  TestEmulatedGroupCodesKernels() {
    super(new EmulatedTarget());
  }
}
