package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetDeltaKernels extends AbstractTestParquetDeltaKernels {
  TestEmulatedParquetDeltaKernels() {
    super(new EmulatedTarget());
  }
}
