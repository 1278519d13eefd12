package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedSelectRowsKernels extends AbstractTestSelectRowsKernels {
  TestEmulatedSelectRowsKernels() {
    super(new EmulatedTarget());
  }
}
