package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedGroupMergeKernels extends AbstractTestGroupMergeKernels {
  TestEmulatedGroupMergeKernels() {
    super(new EmulatedTarget());
  }
}
