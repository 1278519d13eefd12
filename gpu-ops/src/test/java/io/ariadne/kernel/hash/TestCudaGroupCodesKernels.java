package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaGroupCodesKernels extends AbstractTestGroupCodesKernels {
  TestCudaGroupCodesKernels() {
    super(new CudaTarget());
  }
}
