package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.HostTarget;

class TestHostGroupMergeKernels extends AbstractTestGroupMergeKernels {
  TestHostGroupMergeKernels() {
    super(new HostTarget());
  }
}
