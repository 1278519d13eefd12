package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaSelectRowsKernels extends AbstractTestSelectRowsKernels {
  TestCudaSelectRowsKernels() {
    super(new CudaTarget());
  }
}
