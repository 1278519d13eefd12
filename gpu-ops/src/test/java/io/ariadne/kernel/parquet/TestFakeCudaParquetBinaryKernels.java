package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetBinaryKernels extends AbstractTestParquetBinaryKernels {
  TestFakeCudaParquetBinaryKernels() {
    super(new FakeCudaTarget());
  }
}
