package io.ariadne.kernel.join;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedJoinRowsKernels extends AbstractTestJoinRowsKernels {
  TestEmulatedJoinRowsKernels() {
    super(new EmulatedTarget());
  }
}
