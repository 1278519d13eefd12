package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.HostTarget;

class TestHostFloatTexts extends AbstractTestFloatTexts {
  TestHostFloatTexts() {
    super(new HostTarget());
  }

  @Override
  int count() {
    return 60_000;
  }
}
