package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetBinaryDecimalKernels extends AbstractTestParquetBinaryDecimalKernels {
  TestFakeCudaParquetBinaryDecimalKernels() {
    super(new FakeCudaTarget());
  }
}
