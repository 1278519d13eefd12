package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetSpreadKernels extends AbstractTestParquetSpreadKernels {
  TestCudaParquetSpreadKernels() {
    super(new CudaTarget());
  }
}
