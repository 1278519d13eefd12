package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetDenseKernels extends AbstractTestParquetDenseKernels {
  TestCudaParquetDenseKernels() {
    super(new CudaTarget());
  }
}
