package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetLevelKernels extends AbstractTestParquetLevelKernels {
  TestFakeCudaParquetLevelKernels() {
    super(new FakeCudaTarget());
  }
}
