package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaGroupPickKernels extends AbstractTestGroupPickKernels {
  TestCudaGroupPickKernels() {
    super(new CudaTarget());
  }
}
