package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedDenseGroupsKernels extends AbstractTestDenseGroupsKernels {
  TestEmulatedDenseGroupsKernels() {
    super(new EmulatedTarget());
  }
}
