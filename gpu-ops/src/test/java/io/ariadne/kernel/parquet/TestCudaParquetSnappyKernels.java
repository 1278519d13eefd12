package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetSnappyKernels extends AbstractTestParquetSnappyKernels {
  TestCudaParquetSnappyKernels() {
    super(new CudaTarget());
  }
}
