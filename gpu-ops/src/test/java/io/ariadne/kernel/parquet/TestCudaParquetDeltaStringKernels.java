package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetDeltaStringKernels extends AbstractTestParquetDeltaStringKernels {
  TestCudaParquetDeltaStringKernels() {
    super(new CudaTarget());
  }
}
