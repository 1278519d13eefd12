package io.ariadne.kernel.join;

import io.ariadne.kernel.testing.HostTarget;

class TestHostJoinRowsKernels extends AbstractTestJoinRowsKernels {
  TestHostJoinRowsKernels() {
    super(new HostTarget());
  }
}
