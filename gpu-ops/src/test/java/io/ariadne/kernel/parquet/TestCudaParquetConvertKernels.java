package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetConvertKernels extends AbstractTestParquetConvertKernels {
  TestCudaParquetConvertKernels() {
    super(new CudaTarget());
  }
}
