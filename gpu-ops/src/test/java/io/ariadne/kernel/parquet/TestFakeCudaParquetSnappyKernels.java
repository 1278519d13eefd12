package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetSnappyKernels extends AbstractTestParquetSnappyKernels {
  TestFakeCudaParquetSnappyKernels() {
    super(new FakeCudaTarget());
  }
}
