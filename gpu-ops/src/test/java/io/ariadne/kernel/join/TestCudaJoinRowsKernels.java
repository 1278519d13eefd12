package io.ariadne.kernel.join;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaJoinRowsKernels extends AbstractTestJoinRowsKernels {
  TestCudaJoinRowsKernels() {
    super(new CudaTarget());
  }
}
