package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetDeltaStringKernels extends AbstractTestParquetDeltaStringKernels {
  TestFakeCudaParquetDeltaStringKernels() {
    super(new FakeCudaTarget());
  }
}
