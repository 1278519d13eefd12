package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetDenseKernels extends AbstractTestParquetDenseKernels {
  TestFakeCudaParquetDenseKernels() {
    super(new FakeCudaTarget());
  }
}
