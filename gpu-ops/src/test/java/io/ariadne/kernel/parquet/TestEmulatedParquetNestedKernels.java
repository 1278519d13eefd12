package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetNestedKernels extends AbstractTestParquetNestedKernels {
  TestEmulatedParquetNestedKernels() {
    super(new EmulatedTarget());
  }
}
