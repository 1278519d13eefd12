package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetBinaryDecimalKernels extends AbstractTestParquetBinaryDecimalKernels {
  TestEmulatedParquetBinaryDecimalKernels() {
    super(new EmulatedTarget());
  }
}
