package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaStringChoiceKernels extends AbstractTestStringChoiceKernels {
  TestFakeCudaStringChoiceKernels() {
    super(new FakeCudaTarget());
  }
}
