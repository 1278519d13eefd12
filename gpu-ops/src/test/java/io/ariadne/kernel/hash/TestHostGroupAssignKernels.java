package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.HostTarget;

class TestHostGroupAssignKernels extends AbstractTestGroupAssignKernels {
  TestHostGroupAssignKernels() {
    super(new HostTarget());
  }
}
