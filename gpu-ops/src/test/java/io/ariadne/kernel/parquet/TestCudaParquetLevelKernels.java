package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetLevelKernels extends AbstractTestParquetLevelKernels {
  TestCudaParquetLevelKernels() {
    super(new CudaTarget());
  }
}
