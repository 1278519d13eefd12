package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaDenseGroupsKernels extends AbstractTestDenseGroupsKernels {
  TestCudaDenseGroupsKernels() {
    super(new CudaTarget());
  }
}
