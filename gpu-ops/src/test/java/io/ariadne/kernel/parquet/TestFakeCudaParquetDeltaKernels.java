package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetDeltaKernels extends AbstractTestParquetDeltaKernels {
  TestFakeCudaParquetDeltaKernels() {
    super(new FakeCudaTarget());
  }
}
