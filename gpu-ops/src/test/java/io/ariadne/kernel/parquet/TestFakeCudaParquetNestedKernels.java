package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetNestedKernels extends AbstractTestParquetNestedKernels {
  TestFakeCudaParquetNestedKernels() {
    super(new FakeCudaTarget());
  }
}
