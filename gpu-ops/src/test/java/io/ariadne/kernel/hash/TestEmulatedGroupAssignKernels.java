package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedGroupAssignKernels extends AbstractTestGroupAssignKernels {
  TestEmulatedGroupAssignKernels() {
    super(new EmulatedTarget());
  }
}
