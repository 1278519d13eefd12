package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedGroupPickKernels extends AbstractTestGroupPickKernels {
  TestEmulatedGroupPickKernels() {
    super(new EmulatedTarget());
  }
}
