package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetDamagedRuns extends AbstractTestParquetDamagedRuns {
  TestCudaParquetDamagedRuns() {
    super(new CudaTarget());
  }
}
