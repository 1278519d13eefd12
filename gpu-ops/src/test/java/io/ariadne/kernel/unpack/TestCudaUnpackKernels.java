package io.ariadne.kernel.unpack;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaUnpackKernels extends AbstractTestUnpackKernels {
  TestCudaUnpackKernels() {
    super(new CudaTarget());
  }
}
