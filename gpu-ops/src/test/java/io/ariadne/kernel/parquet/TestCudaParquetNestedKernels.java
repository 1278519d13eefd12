package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetNestedKernels extends AbstractTestParquetNestedKernels {
  TestCudaParquetNestedKernels() {
    super(new CudaTarget());
  }
}
