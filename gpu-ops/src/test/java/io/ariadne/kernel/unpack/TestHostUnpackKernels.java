package io.ariadne.kernel.unpack;

import io.ariadne.kernel.testing.HostTarget;

class TestHostUnpackKernels extends AbstractTestUnpackKernels {
  TestHostUnpackKernels() {
    super(new HostTarget());
  }
}
