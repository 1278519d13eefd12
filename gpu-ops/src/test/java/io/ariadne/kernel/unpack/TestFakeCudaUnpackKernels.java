package io.ariadne.kernel.unpack;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaUnpackKernels extends AbstractTestUnpackKernels {
  TestFakeCudaUnpackKernels() {
    super(new FakeCudaTarget());
  }
}
