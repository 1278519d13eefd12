package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.HostTarget;

class TestHostGatherKernels extends AbstractTestGatherKernels {
  TestHostGatherKernels() {
    super(new HostTarget());
  }
}
