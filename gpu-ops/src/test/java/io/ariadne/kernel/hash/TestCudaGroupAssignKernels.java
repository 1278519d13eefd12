package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaGroupAssignKernels extends AbstractTestGroupAssignKernels {
  TestCudaGroupAssignKernels() {
    super(new CudaTarget());
  }
}
