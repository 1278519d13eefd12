package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedGatherKernels extends AbstractTestGatherKernels {
  TestEmulatedGatherKernels() {
    super(new EmulatedTarget());
  }
}
