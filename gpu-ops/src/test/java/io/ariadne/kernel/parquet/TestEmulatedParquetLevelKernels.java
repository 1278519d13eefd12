package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetLevelKernels extends AbstractTestParquetLevelKernels {
  TestEmulatedParquetLevelKernels() {
    super(new EmulatedTarget());
  }
}
