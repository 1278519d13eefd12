package io.ariadne.kernel.unpack;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedUnpackKernels extends AbstractTestUnpackKernels {
  TestEmulatedUnpackKernels() {
    super(new EmulatedTarget());
  }
}
