package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaStringChoiceKernels extends AbstractTestStringChoiceKernels {
  TestCudaStringChoiceKernels() {
    super(new CudaTarget());
  }
}
