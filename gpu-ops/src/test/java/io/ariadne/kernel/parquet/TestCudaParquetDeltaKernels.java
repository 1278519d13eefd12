package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetDeltaKernels extends AbstractTestParquetDeltaKernels {
  TestCudaParquetDeltaKernels() {
    super(new CudaTarget());
  }
}
