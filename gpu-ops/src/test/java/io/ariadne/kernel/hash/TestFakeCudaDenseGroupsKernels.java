package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaDenseGroupsKernels extends AbstractTestDenseGroupsKernels {
  TestFakeCudaDenseGroupsKernels() {
    super(new FakeCudaTarget());
  }
}
