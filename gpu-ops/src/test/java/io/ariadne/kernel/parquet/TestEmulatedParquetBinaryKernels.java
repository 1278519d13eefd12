package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetBinaryKernels extends AbstractTestParquetBinaryKernels {
  TestEmulatedParquetBinaryKernels() {
    super(new EmulatedTarget());
  }
}
