package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.HostTarget;

class TestHostGroupCodesKernels extends AbstractTestGroupCodesKernels {
  TestHostGroupCodesKernels() {
    super(new HostTarget());
  }
}
