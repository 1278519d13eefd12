package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.HostTarget;

class TestHostGroupPickKernels extends AbstractTestGroupPickKernels {
  TestHostGroupPickKernels() {
    super(new HostTarget());
  }
}
