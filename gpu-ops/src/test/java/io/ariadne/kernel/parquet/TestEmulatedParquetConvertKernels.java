package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetConvertKernels extends AbstractTestParquetConvertKernels {
  TestEmulatedParquetConvertKernels() {
    super(new EmulatedTarget());
  }
}
