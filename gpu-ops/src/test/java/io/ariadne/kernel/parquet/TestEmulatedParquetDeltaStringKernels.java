package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetDeltaStringKernels extends AbstractTestParquetDeltaStringKernels {
  TestEmulatedParquetDeltaStringKernels() {
    super(new EmulatedTarget());
  }
}
