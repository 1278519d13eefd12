package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.HostTarget;

class TestHostStringChoiceKernels extends AbstractTestStringChoiceKernels {
  TestHostStringChoiceKernels() {
    super(new HostTarget());
  }
}
