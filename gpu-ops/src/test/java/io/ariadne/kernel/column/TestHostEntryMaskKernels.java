package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.HostTarget;

class TestHostEntryMaskKernels extends AbstractTestEntryMaskKernels {
  TestHostEntryMaskKernels() {
    super(new HostTarget());
  }
}
