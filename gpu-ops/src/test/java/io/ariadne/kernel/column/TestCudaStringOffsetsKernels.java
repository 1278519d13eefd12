package io.ariadne.kernel.column;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaStringOffsetsKernels extends AbstractTestStringOffsetsKernels {
  TestCudaStringOffsetsKernels() {
    super(new CudaTarget());
  }
}
