package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.HostTarget;

class TestHostDenseGroupsKernels extends AbstractTestDenseGroupsKernels {
  TestHostDenseGroupsKernels() {
    super(new HostTarget());
  }
}
