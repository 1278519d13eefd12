package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaEntryMaskKernels extends AbstractTestEntryMaskKernels {
  TestCudaEntryMaskKernels() {
    super(new CudaTarget());
  }
}
