package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaEntryMaskKernels extends AbstractTestEntryMaskKernels {
  TestFakeCudaEntryMaskKernels() {
    super(new FakeCudaTarget());
  }
}
