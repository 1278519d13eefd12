package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaGatherKernels extends AbstractTestGatherKernels {
  TestCudaGatherKernels() {
    super(new CudaTarget());
  }
}
