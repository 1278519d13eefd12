package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetBinaryKernels extends AbstractTestParquetBinaryKernels {
  TestCudaParquetBinaryKernels() {
    super(new CudaTarget());
  }
}
