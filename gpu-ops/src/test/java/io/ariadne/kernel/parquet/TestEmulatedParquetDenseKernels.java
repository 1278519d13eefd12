package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetDenseKernels extends AbstractTestParquetDenseKernels {
  TestEmulatedParquetDenseKernels() {
    super(new EmulatedTarget());
  }
}
