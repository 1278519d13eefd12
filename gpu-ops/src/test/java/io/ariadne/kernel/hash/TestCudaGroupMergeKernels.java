package io.ariadne.kernel.hash;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaGroupMergeKernels extends AbstractTestGroupMergeKernels {
  TestCudaGroupMergeKernels() {
    super(new CudaTarget());
  }
}
