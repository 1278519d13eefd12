package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedEntryMaskKernels extends AbstractTestEntryMaskKernels {
  TestEmulatedEntryMaskKernels() {
    super(new EmulatedTarget());
  }
}
