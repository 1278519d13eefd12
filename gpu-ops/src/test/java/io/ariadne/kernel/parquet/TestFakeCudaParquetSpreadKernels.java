package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetSpreadKernels extends AbstractTestParquetSpreadKernels {
  TestFakeCudaParquetSpreadKernels() {
    super(new FakeCudaTarget());
  }
}
