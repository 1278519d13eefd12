package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetSpreadKernels extends AbstractTestParquetSpreadKernels {
  TestEmulatedParquetSpreadKernels() {
    super(new EmulatedTarget());
  }
}
