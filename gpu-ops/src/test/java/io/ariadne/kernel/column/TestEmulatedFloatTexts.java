package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedFloatTexts extends AbstractTestFloatTexts {
  TestEmulatedFloatTexts() {
    super(new EmulatedTarget());
  }

  @Override
  int count() {
    return 1500;
  }
}
