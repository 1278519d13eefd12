package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.HostTarget;

class TestHostSelectRowsKernels extends AbstractTestSelectRowsKernels {
  TestHostSelectRowsKernels() {
    super(new HostTarget());
  }
}
