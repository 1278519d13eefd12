package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaEntryMaskKernels extends AbstractTestEntryMaskKernels {
  TestFakeCudaEntryMaskKernels() {
    super(new FakeCudaTarget());
  }
}
