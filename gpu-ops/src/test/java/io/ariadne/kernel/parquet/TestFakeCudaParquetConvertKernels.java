package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetConvertKernels extends AbstractTestParquetConvertKernels {
  TestFakeCudaParquetConvertKernels() {
    super(new FakeCudaTarget());
  }
}
