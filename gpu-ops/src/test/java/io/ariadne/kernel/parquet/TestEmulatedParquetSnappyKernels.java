package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetSnappyKernels extends AbstractTestParquetSnappyKernels {
  TestEmulatedParquetSnappyKernels() {
    super(new EmulatedTarget());
  }
}
